-- Of whom it is asked to decide on an item, where its lists are: theirs is then one stretch of one index too.

ALTER TABLE review_facets ADD COLUMN assignee_hash TEXT;

UPDATE review_facets
SET assignee_hash = (SELECT assignee_hash FROM review_items WHERE review_items.place = review_facets.place);

CREATE INDEX review_facets_by_assignee ON review_facets (assignee_hash, failed_check, listed, place)
WHERE assignee_hash IS NOT NULL;
