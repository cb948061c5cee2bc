CREATE TABLE "event_answers" (
	"event_id" text NOT NULL,
	"user_id" text NOT NULL,
	"platform_id" text NOT NULL,
	"response_status" text NOT NULL,
	"responded_at" timestamptz(3),
	"untold" boolean NOT NULL,
	"decline_due_at" timestamptz(3),
	CONSTRAINT "event_answers_pkey" PRIMARY KEY("event_id","user_id"),
	CONSTRAINT "event_answers_response" CHECK ("event_answers"."response_status" in ('needsAction', 'accepted', 'declined', 'tentative')),
	CONSTRAINT "event_answers_declined" CHECK ("event_answers"."response_status" = 'declined' or (not "event_answers"."untold" and "event_answers"."decline_due_at" is null))
);
--> statement-breakpoint
ALTER TABLE "event_answers" ADD CONSTRAINT "event_answers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_answers" ADD CONSTRAINT "event_answers_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "event_answers_declines" ON "event_answers" USING btree ("platform_id","decline_due_at") WHERE "event_answers"."decline_due_at" is not null;--> statement-breakpoint
CREATE INDEX "meetings_event" ON "meetings" USING btree ("provider_event_id");--> statement-breakpoint
-- A replacement that was given up leaves the event to the meeting that it did not replace.
UPDATE "meetings" SET "provider_event_id" = "id" WHERE "status" = 'failed' AND EXISTS (
	SELECT 1 FROM "meetings" "first" WHERE "first"."provider_event_id" = "meetings"."provider_event_id" AND "first"."status" NOT IN ('pending', 'failed'));--> statement-breakpoint
-- The answers of an event are those of the last meeting that has it. The requester has accepted, and the other person has not answered, until they say otherwise.
INSERT INTO "event_answers" ("event_id", "user_id", "platform_id", "response_status", "responded_at", "untold", "decline_due_at")
	SELECT DISTINCT ON ("m"."provider_event_id", "p"."user_id") "m"."provider_event_id", "p"."user_id", "m"."platform_id", "p"."response_status", "p"."responded_at", false,
		CASE WHEN "p"."response_status" = 'declined' THEN "m"."decline_due_at" END
	FROM "meetings" "m" JOIN "meeting_people" "p" ON "p"."meeting_id" = "m"."id"
	WHERE "m"."status" NOT IN ('pending', 'failed') AND ("p"."responded_at" IS NOT NULL OR "p"."response_status" <> CASE "p"."position" WHEN 0 THEN 'accepted' ELSE 'needsAction' END)
	ORDER BY "m"."provider_event_id", "p"."user_id", "m"."status" = 'rescheduled', "m"."created_at" DESC;--> statement-breakpoint
-- An answer counts for the last meeting of its event only.
WITH "kept" AS (
	SELECT "p"."user_id", "m"."platform_id", to_char("m"."created_at" AT TIME ZONE 'UTC', 'YYYY-MM') AS "month",
		greatest(0, round(extract(epoch FROM "p"."responded_at" - "m"."created_at") * 1000)) AS "counted", "m"."status" = 'rescheduled' AS "is_over",
		greatest(0, round(extract(epoch FROM "p"."responded_at" - (SELECT min("f"."created_at") FROM "meetings" "f" WHERE "f"."provider_event_id" = "m"."provider_event_id")) * 1000)) AS "due"
	FROM "meetings" "m" JOIN "meeting_people" "p" ON "p"."meeting_id" = "m"."id"
	WHERE "m"."status" NOT IN ('pending', 'failed') AND "p"."position" = 1 AND "p"."response_status" = 'accepted' AND "p"."responded_at" IS NOT NULL
), "changed" AS (
	SELECT "o"."party", "month", sum(CASE WHEN "is_over" THEN 1 ELSE 0 END) AS "fewer",
		sum(("counted" <= 7200000)::int - (NOT "is_over" AND "due" <= 7200000)::int) AS "fewer_fast",
		sum("counted" - CASE WHEN "is_over" THEN 0 ELSE "due" END) AS "fewer_ms"
	FROM "kept" CROSS JOIN LATERAL (VALUES ("user_id"), ("platform_id")) "o" ("party") GROUP BY 1, 2
)
UPDATE "meeting_months" SET "accepted" = "accepted" - "fewer", "accepted_fast" = "accepted_fast" - "fewer_fast", "accepted_ms" = "accepted_ms" - "fewer_ms"
	FROM "changed" WHERE "meeting_months"."party" = "changed"."party" AND "meeting_months"."month" = "changed"."month";--> statement-breakpoint
ALTER TABLE "pending_operations" ADD COLUMN "event_id" text;--> statement-breakpoint
-- Work on a replaced meeting was passed on to the meeting that replaced it, except what came in between; that is looked at again.
UPDATE "pending_operations" SET "event_id" = "m"."provider_event_id" FROM "meetings" "m" WHERE "m"."id" = "pending_operations"."meeting_id";--> statement-breakpoint
DELETE FROM "pending_operations" "one" USING "pending_operations" "other"
	WHERE "one"."event_id" = "other"."event_id" AND "one"."kind" = "other"."kind" AND "one"."meeting_id" < "other"."meeting_id";--> statement-breakpoint
ALTER TABLE "pending_operations" DROP CONSTRAINT "pending_operations_pkey";--> statement-breakpoint
ALTER TABLE "pending_operations" DROP COLUMN "meeting_id";--> statement-breakpoint
ALTER TABLE "pending_operations" ALTER COLUMN "event_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "pending_operations" ADD CONSTRAINT "pending_operations_pkey" PRIMARY KEY("event_id","kind");--> statement-breakpoint
DROP INDEX "meetings_declined";--> statement-breakpoint
ALTER TABLE "meetings" DROP COLUMN "decline_due_at";--> statement-breakpoint
ALTER TABLE "meeting_people" DROP COLUMN "response_status";--> statement-breakpoint
ALTER TABLE "meeting_people" DROP COLUMN "responded_at";
