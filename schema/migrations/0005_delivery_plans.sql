DROP INDEX "deliveries_age";--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "event_at" timestamptz(3);--> statement-breakpoint
UPDATE "deliveries" d SET "event_at" = e."event_at" FROM (
	SELECT DISTINCT ON ("platform_id", "event_id") "id",
		min("created_at") OVER (PARTITION BY "platform_id", "event_id") AS "event_at"
	FROM "deliveries" WHERE NOT starts_with("event_id", 'wh_test_')
	ORDER BY "platform_id", "event_id", "created_at" DESC, "id" DESC
) e WHERE d."id" = e."id";--> statement-breakpoint
CREATE INDEX "deliveries_replayable" ON "deliveries" USING btree ("platform_id","status","event_at","id") WHERE "deliveries"."event_at" is not null and "deliveries"."status" <> 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_replays" ON "deliveries" USING btree ("platform_id","event_id") WHERE "deliveries"."replay_of" is not null;