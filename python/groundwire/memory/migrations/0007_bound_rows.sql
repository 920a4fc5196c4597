-- Rows that a decision, a right or a revocation rests on are bound by an audit, each with all its columns.

-- Hashes of the memory's row before and after; an erased one leaves its links, so the hash after is that of those.
ALTER TABLE memory_audit ADD COLUMN before_hash TEXT;
ALTER TABLE memory_audit ADD COLUMN after_hash TEXT;

-- The hash of the row.
ALTER TABLE review_inbox ADD COLUMN digest TEXT NOT NULL DEFAULT '';

-- What was done to tokens and names, and that the database was sealed: `subject` is the token's id or the name's hash.
-- The sequences are those of the last entries of both other audits at that time.
CREATE TABLE admin_audit (
    sequence INTEGER PRIMARY KEY,
    time BIGINT NOT NULL,
    action TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    before_hash TEXT,
    after_hash TEXT,
    memory_sequence BIGINT NOT NULL,
    review_sequence BIGINT NOT NULL,
    link TEXT NOT NULL
);

CREATE INDEX admin_audit_by_subject ON admin_audit (kind, subject, sequence);

DELETE FROM review_groups
WHERE NOT EXISTS (SELECT 1 FROM review_items WHERE review_items.group_id = review_groups.group_id);

-- The key is needed for the hashes, so they are made when the database is opened next; then this setting goes.
INSERT INTO memory_settings (name, value) VALUES ('rows', 'unsealed');
