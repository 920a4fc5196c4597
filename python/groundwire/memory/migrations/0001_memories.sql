-- Times are microseconds since 1970; hashes are 32 hexadecimal digits of HMAC-SHA-256.

CREATE TABLE memory_settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- `number` is that of the memory's first entry in the audit: the order of storing, never used twice.
CREATE TABLE memories (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL,
    content TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    memory_type TEXT NOT NULL,
    source TEXT NOT NULL,
    capture_time BIGINT NOT NULL,
    confidence TEXT NOT NULL CHECK (confidence IN ('low', 'medium', 'high')),
    validity_horizon BIGINT,
    source_ids TEXT NOT NULL,
    parents TEXT NOT NULL,
    metadata TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'review'))
);

CREATE INDEX memories_by_user ON memories (user_id, number);
CREATE INDEX memories_by_content ON memories (user_id, content_hash);
CREATE INDEX memories_by_capture_time ON memories (capture_time);
CREATE INDEX memories_by_horizon ON memories (validity_horizon) WHERE validity_horizon IS NOT NULL;

-- What a memory rests on. These rows outlive it: what was derived from an erased memory still rests on its sources.
CREATE TABLE memory_sources (
    source_hash TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    PRIMARY KEY (source_hash, memory_id)
);

CREATE TABLE memory_parents (
    parent_id TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    PRIMARY KEY (parent_id, memory_id)
);

-- `link` is the hash of the row and of the link before it.
CREATE TABLE memory_audit (
    sequence INTEGER PRIMARY KEY,
    time BIGINT NOT NULL,
    action TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    user_hash TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    actor_hash TEXT,
    reason TEXT,
    source_hash TEXT,
    link TEXT NOT NULL
);

CREATE INDEX memory_audit_by_memory ON memory_audit (memory_id, sequence);
CREATE INDEX memory_audit_by_content ON memory_audit (content_hash);

-- The names of actors stand beside the audit, so that they can be erased and its links hold.
CREATE TABLE memory_actors (
    actor_hash TEXT PRIMARY KEY,
    actor TEXT NOT NULL
);
