CREATE TABLE "standing_rules" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"source" text NOT NULL,
	"position" smallint NOT NULL,
	"kind" text NOT NULL,
	"part" jsonb NOT NULL,
	"quote" text NOT NULL,
	"created_at" timestamptz(3) NOT NULL,
	CONSTRAINT "standing_rules_source" CHECK ("standing_rules"."source" in ('scheduling_context')),
	CONSTRAINT "standing_rules_kind" CHECK ("standing_rules"."kind" in ('times', 'buffer', 'most_per_day')),
	CONSTRAINT "standing_rules_part" CHECK (jsonb_typeof("standing_rules"."part") = 'object')
);
--> statement-breakpoint
ALTER TABLE "standing_rules" ADD CONSTRAINT "standing_rules_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "standing_rules_user" ON "standing_rules" USING btree ("user_id","source","position");--> statement-breakpoint
-- The rules so far are in the preferences. When each was read is unknown, so it counts from now.
INSERT INTO "standing_rules" ("id", "user_id", "source", "position", "kind", "part", "quote", "created_at")
	SELECT "rule" ->> 'id', "users"."id", 'scheduling_context', "place", "rule" ->> 'kind', "rule" - 'id' - 'kind' - 'quote', "rule" ->> 'quote', now()
	FROM "users", jsonb_array_elements("users"."preferences" -> 'standing_rules') WITH ORDINALITY AS "listed" ("rule", "place")
	WHERE jsonb_typeof("users"."preferences" -> 'standing_rules') = 'array';--> statement-breakpoint
UPDATE "users" SET "preferences" = "preferences" - 'standing_rules' WHERE "preferences" ? 'standing_rules';
