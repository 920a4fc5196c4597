-- Who may use the review page and its API. Of a token only the hash of its secret is kept; `person` and times as elsewhere.

CREATE TABLE review_tokens (
    token_id TEXT PRIMARY KEY,
    secret_hash TEXT NOT NULL,
    person TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'reviewer')),
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT
);

CREATE INDEX review_tokens_by_person ON review_tokens (person);
