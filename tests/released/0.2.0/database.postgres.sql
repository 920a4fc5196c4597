SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA groundwire;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE groundwire.admin_audit (
    sequence integer NOT NULL,
    "time" bigint NOT NULL,
    action text NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    before_hash text,
    after_hash text,
    memory_sequence bigint NOT NULL,
    review_sequence bigint NOT NULL,
    link text NOT NULL
);
CREATE TABLE groundwire.memories (
    number integer NOT NULL,
    id text NOT NULL,
    user_id text NOT NULL,
    content text NOT NULL,
    content_hash text NOT NULL,
    memory_type text NOT NULL,
    source text NOT NULL,
    capture_time bigint NOT NULL,
    confidence text NOT NULL,
    validity_horizon bigint,
    source_ids text NOT NULL,
    parents text NOT NULL,
    metadata text NOT NULL,
    status text NOT NULL,
    CONSTRAINT memories_confidence_check CHECK ((confidence = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text]))),
    CONSTRAINT memories_status_check CHECK ((status = ANY (ARRAY['active'::text, 'review'::text])))
);
CREATE TABLE groundwire.memory_actors (
    actor_hash text NOT NULL,
    actor text NOT NULL
);
CREATE TABLE groundwire.memory_audit (
    sequence integer NOT NULL,
    "time" bigint NOT NULL,
    action text NOT NULL,
    memory_id text NOT NULL,
    user_hash text NOT NULL,
    content_hash text NOT NULL,
    actor_hash text,
    reason text,
    source_hash text,
    link text NOT NULL,
    before_hash text,
    after_hash text
);
CREATE TABLE groundwire.memory_parents (
    parent_id text NOT NULL,
    memory_id text NOT NULL
);
CREATE TABLE groundwire.memory_schema (
    version integer NOT NULL
);
CREATE TABLE groundwire.memory_settings (
    name text NOT NULL,
    value text NOT NULL
);
CREATE TABLE groundwire.memory_sources (
    source_hash text NOT NULL,
    memory_id text NOT NULL
);
CREATE TABLE groundwire.review_audit (
    sequence integer NOT NULL,
    "time" bigint NOT NULL,
    action text NOT NULL,
    queue_id text NOT NULL,
    user_hash text NOT NULL,
    content_hash text NOT NULL,
    actor_hash text,
    before_hash text,
    after_hash text,
    reason text,
    link text NOT NULL
);
CREATE TABLE groundwire.review_groups (
    group_id integer NOT NULL,
    failed_check text NOT NULL,
    memory_type text NOT NULL,
    source text NOT NULL,
    checks text NOT NULL
);
CREATE TABLE groundwire.review_inbox (
    memory_id text NOT NULL,
    "time" bigint NOT NULL,
    reason text,
    source text,
    digest text DEFAULT ''::text NOT NULL
);
CREATE TABLE groundwire.review_items (
    place integer NOT NULL,
    queue_id text NOT NULL,
    user_id text NOT NULL,
    content text NOT NULL,
    content_hash text NOT NULL,
    asked_hash text NOT NULL,
    memory_type text NOT NULL,
    source text NOT NULL,
    submitted_at bigint NOT NULL,
    details text NOT NULL,
    original text,
    expires_at bigint,
    idempotency_key text,
    state text NOT NULL,
    attempts integer NOT NULL,
    failure text,
    leased_at bigint,
    leased_until bigint,
    reviewer_hash text,
    assignee_hash text,
    decided_at bigint,
    reason text,
    memory_id text,
    digest text NOT NULL,
    listed text DEFAULT 'pending'::text NOT NULL,
    group_id integer DEFAULT 0 NOT NULL,
    CONSTRAINT review_items_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'processing'::text, 'stored'::text, 'rejected'::text, 'expired'::text])))
);
CREATE TABLE groundwire.review_tokens (
    token_id text NOT NULL,
    secret_hash text NOT NULL,
    person text NOT NULL,
    role text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    CONSTRAINT review_tokens_role_check CHECK ((role = ANY (ARRAY['user'::text, 'reviewer'::text])))
);
CREATE TABLE groundwire.review_waiting (
    items integer NOT NULL
);
INSERT INTO groundwire.admin_audit VALUES (1, 1795818239029702, 'sealed', 'database', 'own_key', NULL, NULL, 0, 0, '9327418b7c44176591ded975ddf9772d');
INSERT INTO groundwire.admin_audit VALUES (2, 1772366400000000, 'issued', 'token', '854cd2562b4e4896', NULL, '9f50f165cde703a8693a6a0981cbcdeb', 9, 12, 'dfb0b49a43f1511a7ccb81c95a836313');
INSERT INTO groundwire.admin_audit VALUES (3, 1772366400000000, 'issued', 'token', 'a17c421b948e1816', NULL, 'c291ae8015b3296b5ab64e041ae60199', 9, 12, 'ab42c7da7c4a5e679729b493dddbee54');
INSERT INTO groundwire.admin_audit VALUES (4, 1772366400000000, 'issued', 'token', '5b24ed4d5780173e', NULL, '45f08540930e8d596fc29f5edabe7dcb', 9, 12, 'bf10a8a3bd67dd11afbb7f9f0cefa193');
INSERT INTO groundwire.admin_audit VALUES (5, 1772366400000000, 'revoked', 'token', '5b24ed4d5780173e', '45f08540930e8d596fc29f5edabe7dcb', '0024f5f7692951e599ba41976de3f588', 9, 12, 'fcfb4050689c3f67508c8c541513c7c5');
INSERT INTO groundwire.memories VALUES (1, 'm1', 'anna', 'The service of m1 keeps its sessions in Redis', '112bd67376d62107695154953530158e', 'fact', 'conversation', 1772366400000000, 'high', NULL, '["ADR-003"]', '[]', '{"model": "small", "tags": ["a", "b"]}', 'active');
INSERT INTO groundwire.memories VALUES (3, 'm3', 'anna', 'Größe: 12 m² – ‘kept’ 😀', '00fc9f20652ff7027dd63aebd5b6817c', 'fact', 'conversation', 1772366400000000, 'high', 1774958400000000, '[]', '[]', '{}', 'active');
INSERT INTO groundwire.memories VALUES (4, 'm4', 'ben', 'The service of m4 keeps its sessions in Redis', 'fee8724827c53af0758a012fc4748b31', 'fact', 'conversation', 1772366400000000, 'high', NULL, '["commit:0123456789abcdef0123456789abcdef01234567"]', '[]', '{}', 'active');
INSERT INTO groundwire.memories VALUES (2, 'm2', 'anna', 'The service of m2 keeps its sessions in Redis', 'f8101649a948dee91ff4bc8c620d5bb0', 'fact', 'conversation', 1772366400000000, 'high', NULL, '["ADR-004", "https://example.org/a"]', '["m1"]', '{}', 'review');
INSERT INTO groundwire.memories VALUES (8, 'q1', 'anna', 'Claim 1 says that the mill may sell 10 kg', '64c9ff0aff00180bfdcddf23bd95c9a9', 'fact', 'ai_synthesis', 1772366400000000, 'medium', NULL, '[]', '[]', '{}', 'active');
INSERT INTO groundwire.memories VALUES (9, 'q2', 'anna', 'Claim 2 was edited', 'b04911674f2d8d20b3ba84b60c6768fa', 'fact', 'ai_synthesis', 1772366400000000, 'medium', NULL, '[]', '[]', '{}', 'active');
INSERT INTO groundwire.memory_actors VALUES ('30b818fe5097015e0d1a34dbb3aa0bdb', 'anna');
INSERT INTO groundwire.memory_actors VALUES ('56cd0cff75edefa8bc808512e4ca28cf', 'checker');
INSERT INTO groundwire.memory_actors VALUES ('89f864aa051cbc02c34f57c1458cf21b', 'officer');
INSERT INTO groundwire.memory_actors VALUES ('f0346000f62a6fd0188440cabd5fece6', 'rita');
INSERT INTO groundwire.memory_actors VALUES ('35225c939a483bd177061e60f517d9e0', 'raoul');
INSERT INTO groundwire.memory_audit VALUES (1, 1772366400000000, 'stored', 'm1', '30b818fe5097015e0d1a34dbb3aa0bdb', '112bd67376d62107695154953530158e', NULL, NULL, NULL, '6b851761f2ce20483394e5a7198537a4', NULL, 'c49f2e79272b0a72ad81fad2edec6702');
INSERT INTO groundwire.memory_audit VALUES (2, 1772366400000000, 'stored', 'm2', '30b818fe5097015e0d1a34dbb3aa0bdb', 'f8101649a948dee91ff4bc8c620d5bb0', NULL, NULL, NULL, '6569b23b1ef02fc2bcf6bb18a55c7945', NULL, '970c25a1056c6a73a331b80dd107cbb4');
INSERT INTO groundwire.memory_audit VALUES (3, 1772366400000000, 'stored', 'm3', '30b818fe5097015e0d1a34dbb3aa0bdb', '00fc9f20652ff7027dd63aebd5b6817c', NULL, NULL, NULL, '69847b5dd61adb6c767c24ca9e3e759d', NULL, '64010dfe60eacc11c31e59edd5d48a9c');
INSERT INTO groundwire.memory_audit VALUES (4, 1772366400000000, 'stored', 'm4', '57501c7ddf3fcd74c23030050f4e3385', 'fee8724827c53af0758a012fc4748b31', NULL, NULL, NULL, 'd30eed8ea2718868f23d9055aef968a3', NULL, 'bea3f7634168ebb46f71640e59905f71');
INSERT INTO groundwire.memory_audit VALUES (5, 1772366400000000, 'stored', 'm5', '30b818fe5097015e0d1a34dbb3aa0bdb', '7adf28c8c4fee0c16d9210f9bb96865b', '30b818fe5097015e0d1a34dbb3aa0bdb', NULL, NULL, '6dd18a029c8c59de713ed9006d1250b5', NULL, 'b502ff22e2d39ec047cf187c422b6e7e');
INSERT INTO groundwire.memory_audit VALUES (6, 1772452800000000, 'sent_to_review', 'm2', '30b818fe5097015e0d1a34dbb3aa0bdb', 'f8101649a948dee91ff4bc8c620d5bb0', '56cd0cff75edefa8bc808512e4ca28cf', 'source_refuted', '4a8572f4a5f5f4f5f26d47e3f865dd64', '893c4158b0a0b2ccd66c6cc8395bf7b2', '970c25a1056c6a73a331b80dd107cbb4', '6963216ce26aeefb510d2fdbdea37b63');
INSERT INTO groundwire.memory_audit VALUES (7, 1772452800000000, 'erased', 'm5', '30b818fe5097015e0d1a34dbb3aa0bdb', '7adf28c8c4fee0c16d9210f9bb96865b', '89f864aa051cbc02c34f57c1458cf21b', 'requested', NULL, 'da2c0a1944f63e2c184bad4313d5c80d', 'b502ff22e2d39ec047cf187c422b6e7e', 'ccc06896b9edda5f95e8f4ca8dfc51e5');
INSERT INTO groundwire.memory_audit VALUES (8, 1772366400000000, 'stored', 'q1', '30b818fe5097015e0d1a34dbb3aa0bdb', '64c9ff0aff00180bfdcddf23bd95c9a9', 'f0346000f62a6fd0188440cabd5fece6', NULL, NULL, '276f2b1d8d908fe9f312d4f7b7adcb6d', NULL, '031d812b16db659407162c89e2fcb869');
INSERT INTO groundwire.memory_audit VALUES (9, 1772366400000000, 'stored', 'q2', '30b818fe5097015e0d1a34dbb3aa0bdb', 'b04911674f2d8d20b3ba84b60c6768fa', '35225c939a483bd177061e60f517d9e0', NULL, NULL, '324988feb9f285432c44f9273b857f51', NULL, 'fe6c861b5fa7845c9b8218b9f2f4557a');
INSERT INTO groundwire.memory_parents VALUES ('m1', 'm2');
INSERT INTO groundwire.memory_schema VALUES (1);
INSERT INTO groundwire.memory_schema VALUES (2);
INSERT INTO groundwire.memory_schema VALUES (3);
INSERT INTO groundwire.memory_schema VALUES (4);
INSERT INTO groundwire.memory_schema VALUES (5);
INSERT INTO groundwire.memory_schema VALUES (6);
INSERT INTO groundwire.memory_schema VALUES (7);
INSERT INTO groundwire.memory_settings VALUES ('hash_key', '05af9b0e19f56e7eda46a4d8be29d61c99f61977b82ea919682515e8fdc2955a');
INSERT INTO groundwire.memory_settings VALUES ('hash_key_check', 'df8a9d0109efac6abdb4f4457c71e3c6');
INSERT INTO groundwire.memory_sources VALUES ('baa454a8e8e5415147048b461bcae639', 'm1');
INSERT INTO groundwire.memory_sources VALUES ('033dd868ca0a00a6548d25fcf0aec3f0', 'm2');
INSERT INTO groundwire.memory_sources VALUES ('4a8572f4a5f5f4f5f26d47e3f865dd64', 'm2');
INSERT INTO groundwire.memory_sources VALUES ('126f75f0928b9d432dbda1573b8cb716', 'm4');
INSERT INTO groundwire.memory_sources VALUES ('baa454a8e8e5415147048b461bcae639', 'm5');
INSERT INTO groundwire.review_audit VALUES (1, 1772366400000000, 'enqueued', 'q1', '30b818fe5097015e0d1a34dbb3aa0bdb', '64c9ff0aff00180bfdcddf23bd95c9a9', NULL, NULL, 'aa99fee166d6f641e4d35b1c5d2578db', NULL, 'aa8361042979c76eacfe86f7d58bd55b');
INSERT INTO groundwire.review_audit VALUES (2, 1772366400000000, 'enqueued', 'q2', '30b818fe5097015e0d1a34dbb3aa0bdb', 'f380924f8888e24cb058c5edc92ff3d3', NULL, NULL, '3cac8981034bd22c332e992a6dadee2b', NULL, '0e711d82fb9b42f708ac01033007cf40');
INSERT INTO groundwire.review_audit VALUES (3, 1772366400000000, 'enqueued', 'q3', '30b818fe5097015e0d1a34dbb3aa0bdb', '173d294e3ac7ae8e38ba0bafc00259ae', NULL, NULL, '46292259806bf8077e8f9eabc5cb0972', NULL, '827c69a51c88ebb22f154bfcd155f103');
INSERT INTO groundwire.review_audit VALUES (4, 1772366400000000, 'enqueued', 'q4', '30b818fe5097015e0d1a34dbb3aa0bdb', '664002c4a2fc8e30f169461c7387dd4a', NULL, NULL, '1500a4483e9f05f1a35c4e0041a5d144', NULL, 'd583403ed68b3f60b44f2c1fb022658b');
INSERT INTO groundwire.review_audit VALUES (5, 1772366400000000, 'enqueued', 'q5', '57501c7ddf3fcd74c23030050f4e3385', '65b3e9a1195ef996b7c9bd50a112f032', NULL, NULL, '1c1cda1044bdbb265f8ed5a5ce2bfc05', NULL, 'c59e7ae2aadbd6d06985cab64d1699e1');
INSERT INTO groundwire.review_audit VALUES (6, 1772366400000000, 'enqueued', 'q6', '57501c7ddf3fcd74c23030050f4e3385', '153db72ed6c85aed62c28265b39abc16', NULL, NULL, 'eee925787c288cd3dea71e398d3703f4', NULL, '82adb56680437a614acdc98c0eb534aa');
INSERT INTO groundwire.review_audit VALUES (7, 1772366400000000, 'stored', 'q1', '30b818fe5097015e0d1a34dbb3aa0bdb', '64c9ff0aff00180bfdcddf23bd95c9a9', 'f0346000f62a6fd0188440cabd5fece6', 'aa99fee166d6f641e4d35b1c5d2578db', '5e4557018c1009e04990039c3d461a59', NULL, 'bb43418314d3cfb1ecbde1acddbb8e0c');
INSERT INTO groundwire.review_audit VALUES (8, 1772366400000000, 'edited', 'q2', '30b818fe5097015e0d1a34dbb3aa0bdb', 'b04911674f2d8d20b3ba84b60c6768fa', '35225c939a483bd177061e60f517d9e0', '3cac8981034bd22c332e992a6dadee2b', 'd244c56c096022e8dd098a971c85126a', NULL, '1b2f94e325cc96ecc992e8c0ae2cf1e7');
INSERT INTO groundwire.review_audit VALUES (9, 1772366400000000, 'stored', 'q2', '30b818fe5097015e0d1a34dbb3aa0bdb', 'b04911674f2d8d20b3ba84b60c6768fa', '35225c939a483bd177061e60f517d9e0', 'd244c56c096022e8dd098a971c85126a', '9c39b1d2c269ad2c620edcc9f6e0e409', NULL, 'b2f7da3dbe6b7f59537957159fa2055e');
INSERT INTO groundwire.review_audit VALUES (10, 1772366400000000, 'rejected', 'q3', '30b818fe5097015e0d1a34dbb3aa0bdb', '173d294e3ac7ae8e38ba0bafc00259ae', 'f0346000f62a6fd0188440cabd5fece6', '46292259806bf8077e8f9eabc5cb0972', 'dd0ce1462947f5dbf6916634bc74965a', NULL, 'a91867c0667ac05425b351a0005d5f02');
INSERT INTO groundwire.review_audit VALUES (11, 1772366400000000, 'assigned', 'q4', '30b818fe5097015e0d1a34dbb3aa0bdb', '664002c4a2fc8e30f169461c7387dd4a', 'f0346000f62a6fd0188440cabd5fece6', '1500a4483e9f05f1a35c4e0041a5d144', 'db95eecd0deb843bcc054e9c1f2a25b0', NULL, 'ed6ed21531e76d4e8984630f83133b79');
INSERT INTO groundwire.review_audit VALUES (12, 1772366400000000, 'skipped', 'q5', '57501c7ddf3fcd74c23030050f4e3385', '65b3e9a1195ef996b7c9bd50a112f032', 'f0346000f62a6fd0188440cabd5fece6', '1c1cda1044bdbb265f8ed5a5ce2bfc05', '3e4ed7ec35a9df433113eaab487d99b9', NULL, '6ed0cb8ae18bb9a54767e3abce62513b');
INSERT INTO groundwire.review_audit VALUES (13, 1772452800000000, 'enqueued', 'm2', '30b818fe5097015e0d1a34dbb3aa0bdb', 'f8101649a948dee91ff4bc8c620d5bb0', NULL, NULL, '293d36b7f8705db6fc73a921c5365085', 'source_refuted', 'a98deb8ba73ff50d33b9c7b5cf6e50d8');
INSERT INTO groundwire.review_groups VALUES (1, 'hedge_words_detected', 'fact', 'ai_synthesis', ' citation_present hedge_words_detected');
INSERT INTO groundwire.review_groups VALUES (1, 'citation_present', 'fact', 'ai_synthesis', ' citation_present hedge_words_detected');
INSERT INTO groundwire.review_groups VALUES (1, '', 'fact', 'ai_synthesis', ' citation_present hedge_words_detected');
INSERT INTO groundwire.review_groups VALUES (2, 'citation_present', 'fact', 'ai_synthesis', ' citation_present');
INSERT INTO groundwire.review_groups VALUES (2, '', 'fact', 'ai_synthesis', ' citation_present');
INSERT INTO groundwire.review_groups VALUES (3, 'source_revoked', 'fact', 'conversation', ' source_revoked');
INSERT INTO groundwire.review_groups VALUES (3, '', 'fact', 'conversation', ' source_revoked');
INSERT INTO groundwire.review_items VALUES (6, 'q6', 'ben', 'Claim 6 says that the mill may sell 60 kg', '153db72ed6c85aed62c28265b39abc16', '153db72ed6c85aed62c28265b39abc16', 'fact', 'ai_synthesis', 1772366400000000, '{"reason": "Ungrounded assertion needs verification", "code": null, "checks_passed": ["no_speculation"], "checks_failed": ["citation_present"], "similarity_score": null, "conflicting_memory_id": null, "source_ids": [], "hedges": [], "citations": [], "evidence": {"claim": "Claim 6 says that the mill may sell 60 kg", "capture_time": "2026-03-01T12:00:00+00:00", "confidence": "medium", "source_id": null, "validity_horizon": null, "metadata": {}, "parents": [], "passages": []}}', NULL, NULL, NULL, 'pending', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'eee925787c288cd3dea71e398d3703f4', 'pending', 2);
INSERT INTO groundwire.review_items VALUES (1, 'q1', 'anna', 'Claim 1 says that the mill may sell 10 kg', '64c9ff0aff00180bfdcddf23bd95c9a9', '64c9ff0aff00180bfdcddf23bd95c9a9', 'fact', 'ai_synthesis', 1772366400000000, '{"reason": "Ungrounded assertion needs verification", "code": null, "checks_passed": ["no_speculation"], "checks_failed": ["citation_present", "hedge_words_detected: may"], "similarity_score": null, "conflicting_memory_id": null, "source_ids": [], "hedges": [], "citations": [], "evidence": {"claim": "Claim 1 says that the mill may sell 10 kg", "capture_time": "2026-03-01T12:00:00+00:00", "confidence": "medium", "source_id": null, "validity_horizon": null, "metadata": {}, "parents": [], "passages": []}}', NULL, NULL, NULL, 'stored', 0, NULL, NULL, NULL, 'f0346000f62a6fd0188440cabd5fece6', NULL, 1772366400000000, NULL, 'q1', '5e4557018c1009e04990039c3d461a59', 'stored', 1);
INSERT INTO groundwire.review_items VALUES (4, 'q4', 'anna', 'Claim 4 says that the mill may sell 40 kg', '664002c4a2fc8e30f169461c7387dd4a', '664002c4a2fc8e30f169461c7387dd4a', 'fact', 'ai_synthesis', 1772366400000000, '{"reason": "Ungrounded assertion needs verification", "code": null, "checks_passed": ["no_speculation"], "checks_failed": ["citation_present"], "similarity_score": null, "conflicting_memory_id": null, "source_ids": [], "hedges": [], "citations": [], "evidence": {"claim": "Claim 4 says that the mill may sell 40 kg", "capture_time": "2026-03-01T12:00:00+00:00", "confidence": "medium", "source_id": null, "validity_horizon": null, "metadata": {}, "parents": [], "passages": []}}', NULL, NULL, NULL, 'pending', 0, NULL, NULL, NULL, NULL, '35225c939a483bd177061e60f517d9e0', NULL, NULL, NULL, 'db95eecd0deb843bcc054e9c1f2a25b0', 'pending', 2);
INSERT INTO groundwire.review_items VALUES (2, 'q2', 'anna', 'Claim 2 was edited', 'b04911674f2d8d20b3ba84b60c6768fa', 'f380924f8888e24cb058c5edc92ff3d3', 'fact', 'ai_synthesis', 1772366400000000, '{"reason": "Ungrounded assertion needs verification", "code": null, "checks_passed": ["no_speculation"], "checks_failed": ["citation_present"], "similarity_score": null, "conflicting_memory_id": null, "source_ids": [], "hedges": [], "citations": [], "evidence": {"claim": "Claim 2 says that the mill may sell 20 kg", "capture_time": "2026-03-01T12:00:00+00:00", "confidence": "medium", "source_id": null, "validity_horizon": null, "metadata": {}, "parents": [], "passages": []}}', 'Claim 2 says that the mill may sell 20 kg', NULL, NULL, 'stored', 0, NULL, NULL, NULL, '35225c939a483bd177061e60f517d9e0', NULL, 1772366400000000, NULL, 'q2', '9c39b1d2c269ad2c620edcc9f6e0e409', 'stored', 2);
INSERT INTO groundwire.review_items VALUES (3, 'q3', 'anna', 'Claim 3 says that the mill may sell 30 kg', '173d294e3ac7ae8e38ba0bafc00259ae', '173d294e3ac7ae8e38ba0bafc00259ae', 'fact', 'ai_synthesis', 1772366400000000, '{"reason": "Ungrounded assertion needs verification", "code": null, "checks_passed": ["no_speculation"], "checks_failed": ["citation_present", "hedge_words_detected: may"], "similarity_score": null, "conflicting_memory_id": null, "source_ids": [], "hedges": [], "citations": [], "evidence": {"claim": "Claim 3 says that the mill may sell 30 kg", "capture_time": "2026-03-01T12:00:00+00:00", "confidence": "medium", "source_id": null, "validity_horizon": null, "metadata": {}, "parents": [], "passages": []}}', NULL, NULL, NULL, 'rejected', 0, NULL, NULL, NULL, 'f0346000f62a6fd0188440cabd5fece6', NULL, 1772366400000000, 'no source', NULL, 'dd0ce1462947f5dbf6916634bc74965a', 'rejected', 1);
INSERT INTO groundwire.review_items VALUES (12, 'q5', 'ben', 'Claim 5 says that the mill may sell 50 kg', '65b3e9a1195ef996b7c9bd50a112f032', '65b3e9a1195ef996b7c9bd50a112f032', 'fact', 'ai_synthesis', 1772366400000000, '{"reason": "Ungrounded assertion needs verification", "code": null, "checks_passed": ["no_speculation"], "checks_failed": ["citation_present", "hedge_words_detected: may"], "similarity_score": null, "conflicting_memory_id": null, "source_ids": [], "hedges": [], "citations": [], "evidence": {"claim": "Claim 5 says that the mill may sell 50 kg", "capture_time": "2026-03-01T12:00:00+00:00", "confidence": "medium", "source_id": null, "validity_horizon": null, "metadata": {}, "parents": [], "passages": []}}', NULL, NULL, NULL, 'pending', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '3e4ed7ec35a9df433113eaab487d99b9', 'pending', 1);
INSERT INTO groundwire.review_items VALUES (13, 'm2', 'anna', 'The service of m2 keeps its sessions in Redis', 'f8101649a948dee91ff4bc8c620d5bb0', 'f8101649a948dee91ff4bc8c620d5bb0', 'fact', 'conversation', 1772452800000000, '{"reason": "One of its sources was revoked", "code": "source_revoked", "checks_passed": [], "checks_failed": ["source_revoked: ADR-004"], "similarity_score": null, "conflicting_memory_id": null, "source_ids": ["ADR-004", "https://example.org/a"], "hedges": [], "citations": [], "evidence": {"claim": "The service of m2 keeps its sessions in Redis", "capture_time": "2026-03-01T12:00:00+00:00", "confidence": "high", "source_id": "ADR-004", "validity_horizon": null, "metadata": {}, "parents": ["m1"], "passages": []}}', NULL, NULL, NULL, 'pending', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'm2', '293d36b7f8705db6fc73a921c5365085', 'pending', 3);
INSERT INTO groundwire.review_tokens VALUES ('854cd2562b4e4896', '8fc99f5196ba0f5ec953e00809d5d2a5c1d31790a0d97220e982a89403d82cdc', 'anna', 'user', 1772366400000000, NULL, NULL);
INSERT INTO groundwire.review_tokens VALUES ('a17c421b948e1816', '4d16a1e0809866e8daf9b9d0943e915405919a69f85333b4f0be41152c57cea8', 'rita', 'reviewer', 1772366400000000, NULL, NULL);
INSERT INTO groundwire.review_tokens VALUES ('5b24ed4d5780173e', '0d2d1460f4ec720ebf388b256d14320a92b0e2018dcdf54f66eb3df3732ecc17', 'anna', 'user', 1772366400000000, NULL, 1772366400000000);
INSERT INTO groundwire.review_waiting VALUES (4);
ALTER TABLE ONLY groundwire.admin_audit
    ADD CONSTRAINT admin_audit_pkey PRIMARY KEY (sequence);
ALTER TABLE ONLY groundwire.memories
    ADD CONSTRAINT memories_id_key UNIQUE (id);
ALTER TABLE ONLY groundwire.memories
    ADD CONSTRAINT memories_pkey PRIMARY KEY (number);
ALTER TABLE ONLY groundwire.memory_actors
    ADD CONSTRAINT memory_actors_pkey PRIMARY KEY (actor_hash);
ALTER TABLE ONLY groundwire.memory_audit
    ADD CONSTRAINT memory_audit_pkey PRIMARY KEY (sequence);
ALTER TABLE ONLY groundwire.memory_parents
    ADD CONSTRAINT memory_parents_pkey PRIMARY KEY (parent_id, memory_id);
ALTER TABLE ONLY groundwire.memory_schema
    ADD CONSTRAINT memory_schema_pkey PRIMARY KEY (version);
ALTER TABLE ONLY groundwire.memory_settings
    ADD CONSTRAINT memory_settings_pkey PRIMARY KEY (name);
ALTER TABLE ONLY groundwire.memory_sources
    ADD CONSTRAINT memory_sources_pkey PRIMARY KEY (source_hash, memory_id);
ALTER TABLE ONLY groundwire.review_audit
    ADD CONSTRAINT review_audit_pkey PRIMARY KEY (sequence);
ALTER TABLE ONLY groundwire.review_groups
    ADD CONSTRAINT review_groups_pkey PRIMARY KEY (group_id, failed_check);
ALTER TABLE ONLY groundwire.review_inbox
    ADD CONSTRAINT review_inbox_pkey PRIMARY KEY (memory_id);
ALTER TABLE ONLY groundwire.review_items
    ADD CONSTRAINT review_items_pkey PRIMARY KEY (place);
ALTER TABLE ONLY groundwire.review_items
    ADD CONSTRAINT review_items_queue_id_key UNIQUE (queue_id);
ALTER TABLE ONLY groundwire.review_tokens
    ADD CONSTRAINT review_tokens_pkey PRIMARY KEY (token_id);
CREATE INDEX admin_audit_by_subject ON groundwire.admin_audit USING btree (kind, subject, sequence);
CREATE INDEX memories_by_capture_time ON groundwire.memories USING btree (capture_time);
CREATE INDEX memories_by_content ON groundwire.memories USING btree (user_id, content_hash);
CREATE INDEX memories_by_horizon ON groundwire.memories USING btree (validity_horizon) WHERE (validity_horizon IS NOT NULL);
CREATE INDEX memories_by_user ON groundwire.memories USING btree (user_id, number);
CREATE INDEX memory_audit_by_content ON groundwire.memory_audit USING btree (content_hash);
CREATE INDEX memory_audit_by_memory ON groundwire.memory_audit USING btree (memory_id, sequence);
CREATE INDEX review_audit_by_item ON groundwire.review_audit USING btree (queue_id, sequence);
CREATE INDEX review_audit_by_user ON groundwire.review_audit USING btree (user_hash, sequence);
CREATE INDEX review_groups_by_check ON groundwire.review_groups USING btree (failed_check, memory_type, source, checks);
CREATE INDEX review_items_by_asked ON groundwire.review_items USING btree (user_id, asked_hash);
CREATE INDEX review_items_by_assignee ON groundwire.review_items USING btree (assignee_hash, listed, place) WHERE (assignee_hash IS NOT NULL);
CREATE INDEX review_items_by_assignee_and_group ON groundwire.review_items USING btree (assignee_hash, listed, group_id, place) WHERE (assignee_hash IS NOT NULL);
CREATE INDEX review_items_by_expiry ON groundwire.review_items USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX review_items_by_group ON groundwire.review_items USING btree (listed, group_id, place);
CREATE UNIQUE INDEX review_items_by_key ON groundwire.review_items USING btree (user_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX review_items_by_memory ON groundwire.review_items USING btree (memory_id) WHERE (memory_id <> queue_id);
CREATE INDEX review_items_by_place ON groundwire.review_items USING btree (listed, place, group_id);
CREATE INDEX review_items_by_user ON groundwire.review_items USING btree (user_id, listed, place);
CREATE INDEX review_items_by_user_and_group ON groundwire.review_items USING btree (user_id, listed, group_id, place);
CREATE INDEX review_tokens_by_person ON groundwire.review_tokens USING btree (person);
