-- What waits for review, and what became of it. Times are microseconds since 1970; people are hashes here, except for
-- whose claim it is: their names stand in memory_actors.

-- `place` is the order in the queue. `asked_hash` is that of the text as it was submitted, `digest` that of the row.
CREATE TABLE review_items (
    place INTEGER PRIMARY KEY,
    queue_id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL,
    content TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    asked_hash TEXT NOT NULL,
    memory_type TEXT NOT NULL,
    source TEXT NOT NULL,
    submitted_at BIGINT NOT NULL,
    details TEXT NOT NULL,
    original TEXT,
    expires_at BIGINT,
    idempotency_key TEXT,
    state TEXT NOT NULL CHECK (state IN ('pending', 'processing', 'stored', 'rejected', 'expired')),
    attempts INTEGER NOT NULL,
    failure TEXT,
    leased_at BIGINT,
    leased_until BIGINT,
    reviewer_hash TEXT,
    assignee_hash TEXT,
    decided_at BIGINT,
    reason TEXT,
    memory_id TEXT,
    digest TEXT NOT NULL
);

CREATE INDEX review_items_by_asked ON review_items (user_id, asked_hash);
CREATE UNIQUE INDEX review_items_by_key ON review_items (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX review_items_by_expiry ON review_items (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX review_items_by_memory ON review_items (memory_id) WHERE memory_id IS NOT NULL;

-- One row for an item and each check that it failed, and one with an empty check: whatever is asked for is then one
-- stretch of one index. `listed` is the state, in which an item that is being decided still waits.
CREATE TABLE review_facets (
    place INTEGER NOT NULL,
    failed_check TEXT NOT NULL,
    listed TEXT NOT NULL,
    memory_type TEXT NOT NULL,
    source TEXT NOT NULL,
    user_id TEXT NOT NULL,
    PRIMARY KEY (place, failed_check)
);

CREATE INDEX review_facets_by_check ON review_facets (failed_check, listed, place);
CREATE INDEX review_facets_by_type ON review_facets (failed_check, listed, memory_type, place);
CREATE INDEX review_facets_by_source ON review_facets (failed_check, listed, source, place);
CREATE INDEX review_facets_by_both ON review_facets (failed_check, listed, memory_type, source, place);
CREATE INDEX review_facets_by_user ON review_facets (user_id, failed_check, listed, place);

-- How many wait, in one row.
CREATE TABLE review_waiting (items INTEGER NOT NULL);
INSERT INTO review_waiting (items) VALUES (0);

-- As memory_audit. The hashes of before and after are those of the item's row.
CREATE TABLE review_audit (
    sequence INTEGER PRIMARY KEY,
    time BIGINT NOT NULL,
    action TEXT NOT NULL,
    queue_id TEXT NOT NULL,
    user_hash TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    actor_hash TEXT,
    before_hash TEXT,
    after_hash TEXT,
    reason TEXT,
    link TEXT NOT NULL
);

CREATE INDEX review_audit_by_item ON review_audit (queue_id, sequence);
CREATE INDEX review_audit_by_user ON review_audit (user_hash, sequence);
