-- Sources by their identity, and memories that wait for review again.

-- The hashes of sources were those of one spelling. Whoever opens the database, and has its key, adds those of
-- identities, and deletes this setting.
INSERT INTO memory_settings (name, value) VALUES ('sources', 'as_spelled');

-- Memories whose status has changed since the review queue looked last: it lists those in review, and takes the others
-- off its list. `source` is the one that was revoked, `time` as elsewhere.
CREATE TABLE review_inbox (
    memory_id TEXT PRIMARY KEY,
    time BIGINT NOT NULL,
    reason TEXT,
    source TEXT
);

INSERT INTO review_inbox (memory_id, time, reason, source)
SELECT memories.id, memory_audit.time, memory_audit.reason, NULL
FROM memories JOIN memory_audit ON memory_audit.memory_id = memories.id
WHERE memories.status = 'review' AND memory_audit.sequence = (
    SELECT max(sent.sequence) FROM memory_audit AS sent
    WHERE sent.memory_id = memories.id AND sent.action = 'sent_to_review'
);
