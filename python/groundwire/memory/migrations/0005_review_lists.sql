-- Lists without rows of their own: an index entry of a claim is moved when it is decided on, and there are four now
-- instead of one in each of six indexes for every check that it failed.

-- Claims of the same type and source that failed the same checks: one row for each of these checks, and one with an empty
-- one. `checks` are all of them. A list is then one stretch of an index for each group.
CREATE TABLE review_groups (
    group_id INTEGER NOT NULL,
    failed_check TEXT NOT NULL,
    memory_type TEXT NOT NULL,
    source TEXT NOT NULL,
    checks TEXT NOT NULL,
    PRIMARY KEY (group_id, failed_check)
);

CREATE INDEX review_groups_by_check ON review_groups (failed_check, memory_type, source, checks);

-- `listed` is the state, in which an item that is being decided still waits.
ALTER TABLE review_items ADD COLUMN listed TEXT NOT NULL DEFAULT 'pending';
ALTER TABLE review_items ADD COLUMN group_id INTEGER NOT NULL DEFAULT 0;

-- The checks of each item put together, one after the other: the databases have no name in common for that.
CREATE TABLE review_moved AS
WITH RECURSIVE said (place, failed_check, checks) AS (
    SELECT place, failed_check, failed_check FROM review_facets WHERE failed_check = ''
    UNION ALL
    SELECT said.place, facets.failed_check, said.checks || ' ' || facets.failed_check
    FROM said JOIN review_facets AS facets ON facets.place = said.place
    WHERE facets.failed_check = (
        SELECT min(later.failed_check) FROM review_facets AS later
        WHERE later.place = said.place AND later.failed_check > said.failed_check
    )
)
SELECT said.place, said.checks, items.memory_type, items.source,
       min(said.place) OVER (PARTITION BY items.memory_type, items.source, said.checks) AS group_id
FROM said JOIN review_items AS items ON items.place = said.place
WHERE NOT EXISTS (
    SELECT 1 FROM review_facets AS later WHERE later.place = said.place AND later.failed_check > said.failed_check
);

CREATE UNIQUE INDEX review_moved_by_place ON review_moved (place);

INSERT INTO review_groups (group_id, failed_check, memory_type, source, checks)
SELECT moved.group_id, facets.failed_check, moved.memory_type, moved.source, moved.checks
FROM review_moved AS moved JOIN review_facets AS facets ON facets.place = moved.place
WHERE moved.place = moved.group_id;

UPDATE review_items
SET listed = CASE state WHEN 'processing' THEN 'pending' ELSE state END,
    group_id = (SELECT moved.group_id FROM review_moved AS moved WHERE moved.place = review_items.place);

DROP TABLE review_moved;
DROP TABLE review_facets;

CREATE INDEX review_items_by_place ON review_items (listed, place, group_id);
CREATE INDEX review_items_by_group ON review_items (listed, group_id, place);
CREATE INDEX review_items_by_user ON review_items (user_id, listed, place);
CREATE INDEX review_items_by_user_and_group ON review_items (user_id, listed, group_id, place);
CREATE INDEX review_items_by_assignee ON review_items (assignee_hash, listed, place)
WHERE assignee_hash IS NOT NULL;
CREATE INDEX review_items_by_assignee_and_group ON review_items (assignee_hash, listed, group_id, place)
WHERE assignee_hash IS NOT NULL;

-- Of items that were stored in the same database, the memory has their own id.
DROP INDEX review_items_by_memory;
CREATE INDEX review_items_by_memory ON review_items (memory_id) WHERE memory_id <> queue_id;
