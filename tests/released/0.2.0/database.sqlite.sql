PRAGMA journal_mode = wal;
PRAGMA application_id = 1735879026;
BEGIN TRANSACTION;
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
INSERT INTO "admin_audit" VALUES(1,1795818234353428,'sealed','database','own_key',NULL,NULL,0,0,'1c034bafba2efb4b0d99a458582888cf');
INSERT INTO "admin_audit" VALUES(2,1772366400000000,'issued','token','cf2393b81d2c4309',NULL,'2811ebd05bc1e02ae5c3837168ff008a',9,12,'2820b1a091d83555eccf6a399659f132');
INSERT INTO "admin_audit" VALUES(3,1772366400000000,'issued','token','957178d5cbcc5dea',NULL,'f275576e2e874f1c1be305af1ca4cfaf',9,12,'e9c14a82896f86a7cb29b9e63b788749');
INSERT INTO "admin_audit" VALUES(4,1772366400000000,'issued','token','a0a674fcfe43d939',NULL,'6cd506cef054b32e62985d9bb5e34e71',9,12,'d6550533d4f04c15b8bbe25ca97d6e47');
INSERT INTO "admin_audit" VALUES(5,1772366400000000,'revoked','token','a0a674fcfe43d939','6cd506cef054b32e62985d9bb5e34e71','92d4205b275ca40ce20576155a91a8ca',9,12,'5be9538557d6c8641d0f075d1f60ab3f');
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
INSERT INTO "memories" VALUES(1,'m1','anna','The service of m1 keeps its sessions in Redis','f04bcdbb6e6fe6e88f95a3af2e08b788','fact','conversation',1772366400000000,'high',NULL,'["ADR-003"]','[]','{"model": "small", "tags": ["a", "b"]}','active');
INSERT INTO "memories" VALUES(2,'m2','anna','The service of m2 keeps its sessions in Redis','0daa9e8a027992dd75f49bd60d4c63a0','fact','conversation',1772366400000000,'high',NULL,'["ADR-004", "https://example.org/a"]','["m1"]','{}','review');
INSERT INTO "memories" VALUES(3,'m3','anna','Größe: 12 m² – ‘kept’ 😀','33053e069fabe5a563d83b2837df64fe','fact','conversation',1772366400000000,'high',1774958400000000,'[]','[]','{}','active');
INSERT INTO "memories" VALUES(4,'m4','ben','The service of m4 keeps its sessions in Redis','1972e28930f393b0f6e64aec68b6c659','fact','conversation',1772366400000000,'high',NULL,'["commit:0123456789abcdef0123456789abcdef01234567"]','[]','{}','active');
INSERT INTO "memories" VALUES(8,'q1','anna','Claim 1 says that the mill may sell 10 kg','f1a41ccbd84087323f4c6036c27cbd5d','fact','ai_synthesis',1772366400000000,'medium',NULL,'[]','[]','{}','active');
INSERT INTO "memories" VALUES(9,'q2','anna','Claim 2 was edited','a2bc626ca67faef691912bbf45e6a9c2','fact','ai_synthesis',1772366400000000,'medium',NULL,'[]','[]','{}','active');
CREATE TABLE memory_actors (
    actor_hash TEXT PRIMARY KEY,
    actor TEXT NOT NULL
);
INSERT INTO "memory_actors" VALUES('7909a71ef2a4431ff46a50933a5c0804','anna');
INSERT INTO "memory_actors" VALUES('c2edca6a5c4c6d82045ef1fe690b80ee','checker');
INSERT INTO "memory_actors" VALUES('5ba72a40093c92bb92fb7b1060582623','officer');
INSERT INTO "memory_actors" VALUES('e5b73714e40755dcd39fd9b9e5d2a9b3','rita');
INSERT INTO "memory_actors" VALUES('4d77b65dbd8e3d754fd302ef86ace36a','raoul');
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
, before_hash TEXT, after_hash TEXT);
INSERT INTO "memory_audit" VALUES(1,1772366400000000,'stored','m1','7909a71ef2a4431ff46a50933a5c0804','f04bcdbb6e6fe6e88f95a3af2e08b788',NULL,NULL,NULL,'791d6597717430369eb49b7fd6e8a771',NULL,'9ecf6055f9fbc1f09cbca00acc56a0c2');
INSERT INTO "memory_audit" VALUES(2,1772366400000000,'stored','m2','7909a71ef2a4431ff46a50933a5c0804','0daa9e8a027992dd75f49bd60d4c63a0',NULL,NULL,NULL,'08efac7d34d118cd2f08a73fd0f46f66',NULL,'9598e9faf6de6fcda6db428bc510bef0');
INSERT INTO "memory_audit" VALUES(3,1772366400000000,'stored','m3','7909a71ef2a4431ff46a50933a5c0804','33053e069fabe5a563d83b2837df64fe',NULL,NULL,NULL,'cc30bf73d2ad7148c05139edd43cceac',NULL,'a1b240489663e31a65903620db2b54df');
INSERT INTO "memory_audit" VALUES(4,1772366400000000,'stored','m4','b5142fc3d8e9d2f308db981dba9f4d59','1972e28930f393b0f6e64aec68b6c659',NULL,NULL,NULL,'44261186dd71d268000cea4a6dc67aba',NULL,'b24270c68ee3c24afd67a6b6976ced44');
INSERT INTO "memory_audit" VALUES(5,1772366400000000,'stored','m5','7909a71ef2a4431ff46a50933a5c0804','dfe5694ce09ade924a51d6ba1acf069c','7909a71ef2a4431ff46a50933a5c0804',NULL,NULL,'c0ef278bb9b9178f762b64a939959130',NULL,'3b035e5e899dbeb501e157a7ae6ecf9f');
INSERT INTO "memory_audit" VALUES(6,1772452800000000,'sent_to_review','m2','7909a71ef2a4431ff46a50933a5c0804','0daa9e8a027992dd75f49bd60d4c63a0','c2edca6a5c4c6d82045ef1fe690b80ee','source_refuted','e70bd53451f02d85f16b8dd16494e8e9','649ebd2450979788e1c75f4b3f2bc440','9598e9faf6de6fcda6db428bc510bef0','dbd0bb9da3c69dc5ce2087f8f8da4a50');
INSERT INTO "memory_audit" VALUES(7,1772452800000000,'erased','m5','7909a71ef2a4431ff46a50933a5c0804','dfe5694ce09ade924a51d6ba1acf069c','5ba72a40093c92bb92fb7b1060582623','requested',NULL,'b2c2558579812dbb350e5f6ceea9643c','3b035e5e899dbeb501e157a7ae6ecf9f','0a1cf19156bb4677b1d1b69cb30e0016');
INSERT INTO "memory_audit" VALUES(8,1772366400000000,'stored','q1','7909a71ef2a4431ff46a50933a5c0804','f1a41ccbd84087323f4c6036c27cbd5d','e5b73714e40755dcd39fd9b9e5d2a9b3',NULL,NULL,'340e0a9ba5b6eebf24b05cc4c3f65c98',NULL,'0b2748a30659d7fec91e2883921efe73');
INSERT INTO "memory_audit" VALUES(9,1772366400000000,'stored','q2','7909a71ef2a4431ff46a50933a5c0804','a2bc626ca67faef691912bbf45e6a9c2','4d77b65dbd8e3d754fd302ef86ace36a',NULL,NULL,'18f6ae406f5c6abb91c28f7f00fe442d',NULL,'bd1bfba8618fe788f9908d39268210d7');
CREATE TABLE memory_parents (
    parent_id TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    PRIMARY KEY (parent_id, memory_id)
);
INSERT INTO "memory_parents" VALUES('m1','m2');
CREATE TABLE memory_schema (version INTEGER PRIMARY KEY);
INSERT INTO "memory_schema" VALUES(1);
INSERT INTO "memory_schema" VALUES(2);
INSERT INTO "memory_schema" VALUES(3);
INSERT INTO "memory_schema" VALUES(4);
INSERT INTO "memory_schema" VALUES(5);
INSERT INTO "memory_schema" VALUES(6);
INSERT INTO "memory_schema" VALUES(7);
CREATE TABLE memory_settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO "memory_settings" VALUES('hash_key_check','6a351de3bca49b6600ecf79b36e6db25');
INSERT INTO "memory_settings" VALUES('hash_key','c50946076540288a73503e61eb6fa3e87f887a0a771252e7e29b88e71130f520');
CREATE TABLE memory_sources (
    source_hash TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    PRIMARY KEY (source_hash, memory_id)
);
INSERT INTO "memory_sources" VALUES('60ec96f42bb022d5b957200fdfda9006','m1');
INSERT INTO "memory_sources" VALUES('e70bd53451f02d85f16b8dd16494e8e9','m2');
INSERT INTO "memory_sources" VALUES('a1efcd5720b6ac0366020a0f8db0af62','m2');
INSERT INTO "memory_sources" VALUES('d1e769ef34b35cc70365296c4696d2ec','m4');
INSERT INTO "memory_sources" VALUES('60ec96f42bb022d5b957200fdfda9006','m5');
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
INSERT INTO "review_audit" VALUES(1,1772366400000000,'enqueued','q1','7909a71ef2a4431ff46a50933a5c0804','f1a41ccbd84087323f4c6036c27cbd5d',NULL,NULL,'39a6b280c63ec5f28921bd7f3b63e0e3',NULL,'d22a6cd831d1b2b5f8590736f31ee0ad');
INSERT INTO "review_audit" VALUES(2,1772366400000000,'enqueued','q2','7909a71ef2a4431ff46a50933a5c0804','166124eea2843ccb4e8dc828780a5454',NULL,NULL,'cda631bf678e1f965cb41f41a632dbfc',NULL,'18b0a2c8a53b532f4cd09a0b68ddf36f');
INSERT INTO "review_audit" VALUES(3,1772366400000000,'enqueued','q3','7909a71ef2a4431ff46a50933a5c0804','5feaf10dac32188c6803a0eb2769dc6f',NULL,NULL,'26f978d5151a1c416335d2843932fd41',NULL,'a42dfa232fb9d52dee954da75416799e');
INSERT INTO "review_audit" VALUES(4,1772366400000000,'enqueued','q4','7909a71ef2a4431ff46a50933a5c0804','6c7b3031bf5f2599ebba443121cdca70',NULL,NULL,'637f76c8c481e060a384b088648e617b',NULL,'f4b1a6a6958598ed1aceb474e29c29bc');
INSERT INTO "review_audit" VALUES(5,1772366400000000,'enqueued','q5','b5142fc3d8e9d2f308db981dba9f4d59','0ac685157c7634efacd84be00f641017',NULL,NULL,'146832ccd8cd86c20ac591c63515ad4e',NULL,'8af17e47154d093fe52fe340c561251c');
INSERT INTO "review_audit" VALUES(6,1772366400000000,'enqueued','q6','b5142fc3d8e9d2f308db981dba9f4d59','673b2536faee296b1780e1dc9c27654e',NULL,NULL,'b1de8dc00e91601c2c41c3a26c08575e',NULL,'dec5085ecc80fb0d9400717b495fa6e7');
INSERT INTO "review_audit" VALUES(7,1772366400000000,'stored','q1','7909a71ef2a4431ff46a50933a5c0804','f1a41ccbd84087323f4c6036c27cbd5d','e5b73714e40755dcd39fd9b9e5d2a9b3','39a6b280c63ec5f28921bd7f3b63e0e3','312f7e4a84244df4cd7b9e60f981f871',NULL,'bb993669610fc53bd464ea493942bd07');
INSERT INTO "review_audit" VALUES(8,1772366400000000,'edited','q2','7909a71ef2a4431ff46a50933a5c0804','a2bc626ca67faef691912bbf45e6a9c2','4d77b65dbd8e3d754fd302ef86ace36a','cda631bf678e1f965cb41f41a632dbfc','e6cda0e34420f2d6c6e63af11e613b35',NULL,'53953471b1aff73c72d76ba734630382');
INSERT INTO "review_audit" VALUES(9,1772366400000000,'stored','q2','7909a71ef2a4431ff46a50933a5c0804','a2bc626ca67faef691912bbf45e6a9c2','4d77b65dbd8e3d754fd302ef86ace36a','e6cda0e34420f2d6c6e63af11e613b35','42034c673d297afe21b467583aa27b4a',NULL,'d06a3337ac3025eacc04b9dd7788d02f');
INSERT INTO "review_audit" VALUES(10,1772366400000000,'rejected','q3','7909a71ef2a4431ff46a50933a5c0804','5feaf10dac32188c6803a0eb2769dc6f','e5b73714e40755dcd39fd9b9e5d2a9b3','26f978d5151a1c416335d2843932fd41','959a97548a091ee342db5330823b194d',NULL,'9bb816c777fad73db3c733238e2cd694');
INSERT INTO "review_audit" VALUES(11,1772366400000000,'assigned','q4','7909a71ef2a4431ff46a50933a5c0804','6c7b3031bf5f2599ebba443121cdca70','e5b73714e40755dcd39fd9b9e5d2a9b3','637f76c8c481e060a384b088648e617b','8a007e649c788f1a7752c899ffb9301e',NULL,'3206517829b61e891f62a17c7d733ea5');
INSERT INTO "review_audit" VALUES(12,1772366400000000,'skipped','q5','b5142fc3d8e9d2f308db981dba9f4d59','0ac685157c7634efacd84be00f641017','e5b73714e40755dcd39fd9b9e5d2a9b3','146832ccd8cd86c20ac591c63515ad4e','f98bea31a67a677809a20ce837749c1e',NULL,'dd92d3621f8713c19150e5606281e71a');
INSERT INTO "review_audit" VALUES(13,1772452800000000,'enqueued','m2','7909a71ef2a4431ff46a50933a5c0804','0daa9e8a027992dd75f49bd60d4c63a0',NULL,NULL,'899c42f1e21cbf0c0f9ae57c17468b45','source_refuted','1e3136394da9ca19c96fabd3b6e63c8d');
CREATE TABLE review_groups (
    group_id INTEGER NOT NULL,
    failed_check TEXT NOT NULL,
    memory_type TEXT NOT NULL,
    source TEXT NOT NULL,
    checks TEXT NOT NULL,
    PRIMARY KEY (group_id, failed_check)
);
INSERT INTO "review_groups" VALUES(1,'','fact','ai_synthesis',' citation_present hedge_words_detected');
INSERT INTO "review_groups" VALUES(1,'citation_present','fact','ai_synthesis',' citation_present hedge_words_detected');
INSERT INTO "review_groups" VALUES(1,'hedge_words_detected','fact','ai_synthesis',' citation_present hedge_words_detected');
INSERT INTO "review_groups" VALUES(2,'','fact','ai_synthesis',' citation_present');
INSERT INTO "review_groups" VALUES(2,'citation_present','fact','ai_synthesis',' citation_present');
INSERT INTO "review_groups" VALUES(3,'','fact','conversation',' source_revoked');
INSERT INTO "review_groups" VALUES(3,'source_revoked','fact','conversation',' source_revoked');
CREATE TABLE review_inbox (
    memory_id TEXT PRIMARY KEY,
    time BIGINT NOT NULL,
    reason TEXT,
    source TEXT
, digest TEXT NOT NULL DEFAULT '');
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
, listed TEXT NOT NULL DEFAULT 'pending', group_id INTEGER NOT NULL DEFAULT 0);
INSERT INTO "review_items" VALUES(1,'q1','anna','Claim 1 says that the mill may sell 10 kg','f1a41ccbd84087323f4c6036c27cbd5d','f1a41ccbd84087323f4c6036c27cbd5d','fact','ai_synthesis',1772366400000000,'{"reason": "Ungrounded assertion needs verification", "code": null, "checks_passed": ["no_speculation"], "checks_failed": ["citation_present", "hedge_words_detected: may"], "similarity_score": null, "conflicting_memory_id": null, "source_ids": [], "hedges": [], "citations": [], "evidence": {"claim": "Claim 1 says that the mill may sell 10 kg", "capture_time": "2026-03-01T12:00:00+00:00", "confidence": "medium", "source_id": null, "validity_horizon": null, "metadata": {}, "parents": [], "passages": []}}',NULL,NULL,NULL,'stored',0,NULL,NULL,NULL,'e5b73714e40755dcd39fd9b9e5d2a9b3',NULL,1772366400000000,NULL,'q1','312f7e4a84244df4cd7b9e60f981f871','stored',1);
INSERT INTO "review_items" VALUES(2,'q2','anna','Claim 2 was edited','a2bc626ca67faef691912bbf45e6a9c2','166124eea2843ccb4e8dc828780a5454','fact','ai_synthesis',1772366400000000,'{"reason": "Ungrounded assertion needs verification", "code": null, "checks_passed": ["no_speculation"], "checks_failed": ["citation_present"], "similarity_score": null, "conflicting_memory_id": null, "source_ids": [], "hedges": [], "citations": [], "evidence": {"claim": "Claim 2 says that the mill may sell 20 kg", "capture_time": "2026-03-01T12:00:00+00:00", "confidence": "medium", "source_id": null, "validity_horizon": null, "metadata": {}, "parents": [], "passages": []}}','Claim 2 says that the mill may sell 20 kg',NULL,NULL,'stored',0,NULL,NULL,NULL,'4d77b65dbd8e3d754fd302ef86ace36a',NULL,1772366400000000,NULL,'q2','42034c673d297afe21b467583aa27b4a','stored',2);
INSERT INTO "review_items" VALUES(3,'q3','anna','Claim 3 says that the mill may sell 30 kg','5feaf10dac32188c6803a0eb2769dc6f','5feaf10dac32188c6803a0eb2769dc6f','fact','ai_synthesis',1772366400000000,'{"reason": "Ungrounded assertion needs verification", "code": null, "checks_passed": ["no_speculation"], "checks_failed": ["citation_present", "hedge_words_detected: may"], "similarity_score": null, "conflicting_memory_id": null, "source_ids": [], "hedges": [], "citations": [], "evidence": {"claim": "Claim 3 says that the mill may sell 30 kg", "capture_time": "2026-03-01T12:00:00+00:00", "confidence": "medium", "source_id": null, "validity_horizon": null, "metadata": {}, "parents": [], "passages": []}}',NULL,NULL,NULL,'rejected',0,NULL,NULL,NULL,'e5b73714e40755dcd39fd9b9e5d2a9b3',NULL,1772366400000000,'no source',NULL,'959a97548a091ee342db5330823b194d','rejected',1);
INSERT INTO "review_items" VALUES(4,'q4','anna','Claim 4 says that the mill may sell 40 kg','6c7b3031bf5f2599ebba443121cdca70','6c7b3031bf5f2599ebba443121cdca70','fact','ai_synthesis',1772366400000000,'{"reason": "Ungrounded assertion needs verification", "code": null, "checks_passed": ["no_speculation"], "checks_failed": ["citation_present"], "similarity_score": null, "conflicting_memory_id": null, "source_ids": [], "hedges": [], "citations": [], "evidence": {"claim": "Claim 4 says that the mill may sell 40 kg", "capture_time": "2026-03-01T12:00:00+00:00", "confidence": "medium", "source_id": null, "validity_horizon": null, "metadata": {}, "parents": [], "passages": []}}',NULL,NULL,NULL,'pending',0,NULL,NULL,NULL,NULL,'4d77b65dbd8e3d754fd302ef86ace36a',NULL,NULL,NULL,'8a007e649c788f1a7752c899ffb9301e','pending',2);
INSERT INTO "review_items" VALUES(6,'q6','ben','Claim 6 says that the mill may sell 60 kg','673b2536faee296b1780e1dc9c27654e','673b2536faee296b1780e1dc9c27654e','fact','ai_synthesis',1772366400000000,'{"reason": "Ungrounded assertion needs verification", "code": null, "checks_passed": ["no_speculation"], "checks_failed": ["citation_present"], "similarity_score": null, "conflicting_memory_id": null, "source_ids": [], "hedges": [], "citations": [], "evidence": {"claim": "Claim 6 says that the mill may sell 60 kg", "capture_time": "2026-03-01T12:00:00+00:00", "confidence": "medium", "source_id": null, "validity_horizon": null, "metadata": {}, "parents": [], "passages": []}}',NULL,NULL,NULL,'pending',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'b1de8dc00e91601c2c41c3a26c08575e','pending',2);
INSERT INTO "review_items" VALUES(12,'q5','ben','Claim 5 says that the mill may sell 50 kg','0ac685157c7634efacd84be00f641017','0ac685157c7634efacd84be00f641017','fact','ai_synthesis',1772366400000000,'{"reason": "Ungrounded assertion needs verification", "code": null, "checks_passed": ["no_speculation"], "checks_failed": ["citation_present", "hedge_words_detected: may"], "similarity_score": null, "conflicting_memory_id": null, "source_ids": [], "hedges": [], "citations": [], "evidence": {"claim": "Claim 5 says that the mill may sell 50 kg", "capture_time": "2026-03-01T12:00:00+00:00", "confidence": "medium", "source_id": null, "validity_horizon": null, "metadata": {}, "parents": [], "passages": []}}',NULL,NULL,NULL,'pending',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'f98bea31a67a677809a20ce837749c1e','pending',1);
INSERT INTO "review_items" VALUES(13,'m2','anna','The service of m2 keeps its sessions in Redis','0daa9e8a027992dd75f49bd60d4c63a0','0daa9e8a027992dd75f49bd60d4c63a0','fact','conversation',1772452800000000,'{"reason": "One of its sources was revoked", "code": "source_revoked", "checks_passed": [], "checks_failed": ["source_revoked: ADR-004"], "similarity_score": null, "conflicting_memory_id": null, "source_ids": ["ADR-004", "https://example.org/a"], "hedges": [], "citations": [], "evidence": {"claim": "The service of m2 keeps its sessions in Redis", "capture_time": "2026-03-01T12:00:00+00:00", "confidence": "high", "source_id": "ADR-004", "validity_horizon": null, "metadata": {}, "parents": ["m1"], "passages": []}}',NULL,NULL,NULL,'pending',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'m2','899c42f1e21cbf0c0f9ae57c17468b45','pending',3);
CREATE TABLE review_tokens (
    token_id TEXT PRIMARY KEY,
    secret_hash TEXT NOT NULL,
    person TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'reviewer')),
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT
);
INSERT INTO "review_tokens" VALUES('cf2393b81d2c4309','62c9ae225cc7ba8d4977f5837c20a27a2e33144571866e5eff52317e446b42bc','anna','user',1772366400000000,NULL,NULL);
INSERT INTO "review_tokens" VALUES('957178d5cbcc5dea','27b26a90592aef1e4c8f7d0e15f2ad71bf7052bd752a7169f08c2e06af16e457','rita','reviewer',1772366400000000,NULL,NULL);
INSERT INTO "review_tokens" VALUES('a0a674fcfe43d939','73b4b167980462de317aa52b3342c8a1af3c0ff62af83bdac512e0a5d8ba7eb7','anna','user',1772366400000000,NULL,1772366400000000);
CREATE TABLE review_waiting (items INTEGER NOT NULL);
INSERT INTO "review_waiting" VALUES(4);
CREATE INDEX memories_by_user ON memories (user_id, number);
CREATE INDEX memories_by_content ON memories (user_id, content_hash);
CREATE INDEX memories_by_capture_time ON memories (capture_time);
CREATE INDEX memories_by_horizon ON memories (validity_horizon) WHERE validity_horizon IS NOT NULL;
CREATE INDEX memory_audit_by_memory ON memory_audit (memory_id, sequence);
CREATE INDEX memory_audit_by_content ON memory_audit (content_hash);
CREATE INDEX review_items_by_asked ON review_items (user_id, asked_hash);
CREATE UNIQUE INDEX review_items_by_key ON review_items (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX review_items_by_expiry ON review_items (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX review_audit_by_item ON review_audit (queue_id, sequence);
CREATE INDEX review_audit_by_user ON review_audit (user_hash, sequence);
CREATE INDEX review_tokens_by_person ON review_tokens (person);
CREATE INDEX review_groups_by_check ON review_groups (failed_check, memory_type, source, checks);
CREATE INDEX review_items_by_place ON review_items (listed, place, group_id);
CREATE INDEX review_items_by_group ON review_items (listed, group_id, place);
CREATE INDEX review_items_by_user ON review_items (user_id, listed, place);
CREATE INDEX review_items_by_user_and_group ON review_items (user_id, listed, group_id, place);
CREATE INDEX review_items_by_assignee ON review_items (assignee_hash, listed, place)
WHERE assignee_hash IS NOT NULL;
CREATE INDEX review_items_by_assignee_and_group ON review_items (assignee_hash, listed, group_id, place)
WHERE assignee_hash IS NOT NULL;
CREATE INDEX review_items_by_memory ON review_items (memory_id) WHERE memory_id <> queue_id;
CREATE INDEX admin_audit_by_subject ON admin_audit (kind, subject, sequence);
COMMIT;
