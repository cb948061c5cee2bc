-- Of what follows drizzle-kit made all but four things, for which it has no word: the extension, which lets an index or a
-- constraint over ranges ask for equal text too, the function, by which a statement fails its batch with a named error, and
-- at the end the constraint, and the triggers.
CREATE EXTENSION IF NOT EXISTS btree_gist;
--> statement-breakpoint
CREATE FUNCTION refuse(reason text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	RAISE EXCEPTION USING ERRCODE = 'TD001', MESSAGE = reason;
END $$;
--> statement-breakpoint
CREATE TABLE "agent_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"client_id" text NOT NULL,
	"agent_name" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"code_challenge" text NOT NULL,
	"created_at" timestamptz(3) NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	"used_at" timestamptz(3),
	"key_hash" text,
	CONSTRAINT "agent_codes_used" CHECK (("agent_codes"."used_at" is null) = ("agent_codes"."key_hash" is null))
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"hash" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"platform_id" text,
	"user_id" text,
	"masked" text NOT NULL,
	"publishable_key" text,
	"agent_host" text,
	"agent_path" text,
	"agent_name" text,
	"created_at" timestamptz(3) NOT NULL,
	"revoked_at" timestamptz(3),
	CONSTRAINT "api_keys_kind" CHECK ("api_keys"."kind" in ('secret', 'publishable', 'user')),
	CONSTRAINT "api_keys_owner" CHECK (("api_keys"."kind" = 'user') = ("api_keys"."user_id" is not null) and ("api_keys"."kind" = 'user') = ("api_keys"."platform_id" is null)),
	CONSTRAINT "api_keys_public" CHECK (("api_keys"."publishable_key" is not null) = ("api_keys"."kind" = 'publishable')),
	CONSTRAINT "api_keys_agent" CHECK (("api_keys"."agent_host" is null) = ("api_keys"."agent_name" is null)),
	CONSTRAINT "api_keys_agent_expires" CHECK ("api_keys"."agent_host" is null or ("api_keys"."kind" = 'user' and "api_keys"."revoked_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" text PRIMARY KEY NOT NULL,
	"at" timestamptz(3) NOT NULL,
	"platform_id" text,
	"user_id" text,
	"action" text NOT NULL,
	"actor_kind" text NOT NULL,
	"actor" text NOT NULL,
	"network" text,
	"request_id" text NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "audit_log_about" CHECK ("audit_log"."platform_id" is not null or "audit_log"."user_id" is not null),
	CONSTRAINT "audit_log_action" CHECK ("audit_log"."action" in ('key.created', 'key.replaced', 'key.reissued', 'key.revoked', 'link.created', 'secret.rotated', 'endpoint.changed', 'endpoint.settings_changed', 'redirect_uris.changed', 'settings.changed', 'session.opened', 'session.ended', 'sessions.ended', 'person.disconnected', 'person.erased', 'platform.created', 'platform.renamed', 'platform.plan_changed', 'platform.suspended', 'platform.resumed', 'platform.deleted', 'preferences.changed')),
	CONSTRAINT "audit_log_actor" CHECK ("audit_log"."actor_kind" in ('key', 'session', 'operator', 'person', 'google', 'service'))
);
--> statement-breakpoint
CREATE TABLE "batch_meetings" (
	"batch_id" text NOT NULL,
	"position" integer NOT NULL,
	"reference" text NOT NULL,
	"requester_email" text NOT NULL,
	"other_email" text NOT NULL,
	"request" jsonb NOT NULL,
	"state" text NOT NULL,
	"times" jsonb,
	"starts_at" timestamptz(3),
	"ends_at" timestamptz(3),
	"meeting_id" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"misses" integer DEFAULT 0 NOT NULL,
	"reason" jsonb,
	CONSTRAINT "batch_meetings_pkey" PRIMARY KEY("batch_id","position"),
	CONSTRAINT "batch_meetings_state" CHECK ("batch_meetings"."state" in ('open', 'placed', 'booked', 'unplaced', 'failed', 'cancelled')),
	CONSTRAINT "batch_meetings_time" CHECK ("batch_meetings"."state" not in ('placed', 'booked') or ("batch_meetings"."starts_at" < "batch_meetings"."ends_at")),
	CONSTRAINT "batch_meetings_booked" CHECK ("batch_meetings"."state" <> 'booked' or "batch_meetings"."meeting_id" is not null),
	CONSTRAINT "batch_meetings_reason" CHECK ("batch_meetings"."state" not in ('unplaced', 'failed') or "batch_meetings"."reason" is not null)
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"status" text NOT NULL,
	"is_dry_run" boolean NOT NULL,
	"total" integer NOT NULL,
	"options" jsonb NOT NULL,
	"progress" jsonb,
	"attempts" integer DEFAULT 0 NOT NULL,
	"owner" text,
	"lease_until" timestamptz(3),
	"next_run_at" timestamptz(3),
	"asked_at" timestamptz(3),
	"created_at" timestamptz(3) NOT NULL,
	"committed_at" timestamptz(3),
	"ended_at" timestamptz(3),
	CONSTRAINT "batches_status" CHECK ("batches"."status" in ('processing', 'planned', 'completed', 'cancelled')),
	CONSTRAINT "batches_end" CHECK (case "batches"."status" when 'completed' then "batches"."ended_at" is not null when 'cancelled' then true else "batches"."ended_at" is null end)
);
--> statement-breakpoint
CREATE TABLE "busy_snapshots" (
	"user_id" text PRIMARY KEY NOT NULL,
	"turn_of" text NOT NULL,
	"dirty_gen" integer DEFAULT 1 NOT NULL,
	"synced_gen" integer DEFAULT 0 NOT NULL,
	"busy" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"covers_from" timestamptz(3),
	"covers_until" timestamptz(3),
	"read_at" timestamptz(3),
	"failures" integer DEFAULT 0 NOT NULL,
	"used_at" timestamptz(3) NOT NULL,
	"due_at" timestamptz(3) NOT NULL,
	"event_token" text,
	"watch_at" timestamptz(3) NOT NULL,
	"owner" text,
	"lease_until" timestamptz(3),
	CONSTRAINT "busy_snapshots_read" CHECK ("busy_snapshots"."synced_gen" = 0 or ("busy_snapshots"."read_at", "busy_snapshots"."covers_from", "busy_snapshots"."covers_until") is not null),
	CONSTRAINT "busy_snapshots_generations" CHECK ("busy_snapshots"."synced_gen" <= "busy_snapshots"."dirty_gen")
);
--> statement-breakpoint
CREATE TABLE "calendar_accounts" (
	"user_id" text PRIMARY KEY NOT NULL,
	"provider_id" text NOT NULL,
	"status" text NOT NULL,
	"refresh_token" text,
	"access_token" text,
	"access_expires_at" timestamptz(3),
	"scope" text NOT NULL,
	"calendars" text,
	"calendar_marks" text[] DEFAULT '{"primary"}' NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"reauthorization_needed_since" timestamptz(3),
	"consents" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"refresh_owner" text,
	"refresh_lease_until" timestamptz(3),
	"updated_at" timestamptz(3) NOT NULL,
	CONSTRAINT "calendar_accounts_status" CHECK ("calendar_accounts"."status" in ('connected', 'needs_reauthorization', 'disconnected')),
	CONSTRAINT "calendar_accounts_tokens" CHECK ("calendar_accounts"."status" <> 'connected' or "calendar_accounts"."refresh_token" is not null)
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"platform_id" text NOT NULL,
	"user_id" text NOT NULL,
	"connected_at" timestamptz(3) NOT NULL,
	"last_used_at" timestamptz(3) NOT NULL,
	"synced_at" timestamptz(3),
	"disconnected_at" timestamptz(3),
	CONSTRAINT "connections_pkey" PRIMARY KEY("platform_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"event_id" text NOT NULL,
	"platform_id" text NOT NULL,
	"event_type" text NOT NULL,
	"body" text NOT NULL,
	"meeting_id" text,
	"url" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"max_attempts" integer NOT NULL,
	"next_attempt_at" timestamptz(3),
	"asked_at" timestamptz(3),
	"owner" text,
	"lease_until" timestamptz(3),
	"response_code" integer DEFAULT 0 NOT NULL,
	"duration_ms" integer DEFAULT 0 NOT NULL,
	"error" text,
	"replay_of" text,
	"redeliveries" integer DEFAULT 0 NOT NULL,
	"refusals" integer DEFAULT 0 NOT NULL,
	"event_at" timestamptz(3),
	"created_at" timestamptz(3) NOT NULL,
	"finished_at" timestamptz(3),
	CONSTRAINT "deliveries_status" CHECK ("deliveries"."status" in ('pending', 'success', 'failed')),
	CONSTRAINT "deliveries_end" CHECK (("deliveries"."status" = 'pending') = ("deliveries"."finished_at" is null)),
	CONSTRAINT "deliveries_attempts" CHECK ("deliveries"."attempts" <= "deliveries"."max_attempts")
);
--> statement-breakpoint
CREATE TABLE "delivery_attempts" (
	"delivery_id" text NOT NULL,
	"number" integer NOT NULL,
	"started_at" timestamptz(3) NOT NULL,
	"sent_at" timestamptz(3),
	"response_code" integer NOT NULL,
	"duration_ms" integer NOT NULL,
	"error" text,
	"answer" text,
	CONSTRAINT "delivery_attempts_pkey" PRIMARY KEY("delivery_id","number")
);
--> statement-breakpoint
CREATE TABLE "delivery_days" (
	"platform_id" text NOT NULL,
	"day" date NOT NULL,
	"success" integer NOT NULL,
	"failed" integer NOT NULL,
	"answered" integer NOT NULL,
	"answered_ms" bigint NOT NULL,
	CONSTRAINT "delivery_days_pkey" PRIMARY KEY("platform_id","day")
);
--> statement-breakpoint
CREATE TABLE "event_answers" (
	"event_id" text NOT NULL,
	"user_id" text NOT NULL,
	"platform_id" text NOT NULL,
	"response_status" text NOT NULL,
	"responded_at" timestamptz(3),
	"removed" boolean DEFAULT false NOT NULL,
	"untold" boolean NOT NULL,
	"decline_due_at" timestamptz(3),
	CONSTRAINT "event_answers_pkey" PRIMARY KEY("event_id","user_id"),
	CONSTRAINT "event_answers_response" CHECK ("event_answers"."response_status" in ('needsAction', 'accepted', 'declined', 'tentative')),
	CONSTRAINT "event_answers_declined" CHECK ("event_answers"."response_status" = 'declined' or (not "event_answers"."untold" and "event_answers"."decline_due_at" is null))
);
--> statement-breakpoint
CREATE TABLE "holds" (
	"meeting_id" text,
	"proposal_id" text,
	"user_id" text NOT NULL,
	"event_id" text NOT NULL,
	"during" "tstzrange" NOT NULL,
	"exclusive" boolean NOT NULL,
	"conflicts" integer NOT NULL,
	"left_on_day" integer,
	CONSTRAINT "holds_own" UNIQUE NULLS NOT DISTINCT("meeting_id","proposal_id","user_id","during"),
	CONSTRAINT "holds_reason" CHECK ("holds"."meeting_id" is not null or "holds"."proposal_id" is not null),
	CONSTRAINT "hold_is_free" CHECK (not "holds"."exclusive" or "holds"."conflicts" = 0),
	CONSTRAINT "hold_within_day" CHECK ("holds"."left_on_day" >= 0)
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"platform_id" text NOT NULL,
	"operation" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"state" text NOT NULL,
	"owner" text NOT NULL,
	"lease_until" timestamptz(3) NOT NULL,
	"resource_id" text,
	"status" integer,
	"body" text,
	"created_at" timestamptz(3) NOT NULL,
	CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY("platform_id","operation","key"),
	CONSTRAINT "idempotency_keys_state" CHECK ("idempotency_keys"."state" in ('started', 'done')),
	CONSTRAINT "idempotency_keys_answer" CHECK (("idempotency_keys"."state" = 'done') = ("idempotency_keys"."status" is not null and "idempotency_keys"."body" is not null))
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"status" text NOT NULL,
	"request" jsonb NOT NULL,
	"result" jsonb,
	"attempts" integer DEFAULT 0 NOT NULL,
	"owner" text,
	"lease_until" timestamptz(3),
	"next_run_at" timestamptz(3),
	"asked_at" timestamptz(3),
	"created_at" timestamptz(3) NOT NULL,
	"completed_at" timestamptz(3),
	CONSTRAINT "jobs_status" CHECK ("jobs"."status" in ('processing', 'completed', 'failed')),
	CONSTRAINT "jobs_end" CHECK (("jobs"."status" = 'processing') = ("jobs"."result" is null) and ("jobs"."status" = 'processing') = ("jobs"."completed_at" is null))
);
--> statement-breakpoint
CREATE TABLE "learning_ledger" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"source" text NOT NULL,
	"meeting_id" text,
	"pattern" text NOT NULL,
	"weight" text NOT NULL,
	"before" double precision NOT NULL,
	"after" double precision NOT NULL,
	"created_at" timestamptz(3) NOT NULL,
	"undone_at" timestamptz(3),
	CONSTRAINT "learning_ledger_source" CHECK ("learning_ledger"."source" in ('reschedule', 'scheduling_context')),
	CONSTRAINT "learning_ledger_bounds" CHECK ("learning_ledger"."after" between 0.2 and 2 and "learning_ledger"."before" between 0.2 and 2)
);
--> statement-breakpoint
CREATE TABLE "meeting_months" (
	"party" text NOT NULL,
	"month" text NOT NULL,
	"made" integer NOT NULL,
	"rescheduled" integer NOT NULL,
	"cancelled" integer NOT NULL,
	"accepted" integer NOT NULL,
	"accepted_fast" integer NOT NULL,
	"accepted_ms" bigint NOT NULL,
	"morning" integer NOT NULL,
	"afternoon" integer NOT NULL,
	"evening" integer NOT NULL,
	CONSTRAINT "meeting_months_pkey" PRIMARY KEY("party","month")
);
--> statement-breakpoint
CREATE TABLE "meeting_people" (
	"meeting_id" text NOT NULL,
	"platform_id" text NOT NULL,
	"starts_at" timestamptz(3) NOT NULL,
	"user_id" text NOT NULL,
	"email" text NOT NULL,
	"position" integer NOT NULL,
	"is_guest" boolean DEFAULT false NOT NULL,
	"guest_time_zone" text,
	CONSTRAINT "meeting_people_pkey" PRIMARY KEY("meeting_id","user_id"),
	CONSTRAINT "meeting_people_two" CHECK ("meeting_people"."position" in (0, 1))
);
--> statement-breakpoint
CREATE TABLE "meetings" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"organizer_id" text NOT NULL,
	"status" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"location" text NOT NULL,
	"starts_at" timestamptz(3) NOT NULL,
	"ends_at" timestamptz(3) NOT NULL,
	"day_parts" text[],
	"meet_link" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"provider_event_id" text NOT NULL,
	"event_etag" text,
	"exclusive" boolean NOT NULL,
	"owner" text,
	"lease_until" timestamptz(3),
	"version" integer DEFAULT 1 NOT NULL,
	"usage_month" text,
	"job_id" text,
	"rescheduled_from" text,
	"reading" jsonb,
	"created_at" timestamptz(3) NOT NULL,
	"updated_at" timestamptz(3) NOT NULL,
	"cancelled_at" timestamptz(3),
	"failed_at" timestamptz(3),
	CONSTRAINT "meetings_person_key" UNIQUE("id","platform_id","starts_at"),
	CONSTRAINT "meetings_status" CHECK ("meetings"."status" in ('pending', 'failed', 'scheduled', 'updated', 'cancelled', 'rescheduled')),
	CONSTRAINT "meetings_times" CHECK ("meetings"."starts_at" <= "meetings"."ends_at"),
	CONSTRAINT "meetings_failed_at" CHECK (("meetings"."status" = 'failed') = ("meetings"."failed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "pending_operations" (
	"event_id" text NOT NULL,
	"kind" text NOT NULL,
	"platform_id" text NOT NULL,
	"intent" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"due_at" timestamptz(3) NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamptz(3) NOT NULL,
	CONSTRAINT "pending_operations_pkey" PRIMARY KEY("event_id","kind"),
	CONSTRAINT "pending_operations_kind" CHECK ("pending_operations"."kind" in ('book', 'move', 'cancel', 'link', 'verify'))
);
--> statement-breakpoint
CREATE TABLE "platforms" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"plan" text NOT NULL,
	"redirect_uris" text[] DEFAULT '{}' NOT NULL,
	"on_decline" text DEFAULT 'notify' NOT NULL,
	"logo_url" text,
	"default_preferences" jsonb,
	"created_at" timestamptz(3) NOT NULL,
	"suspended_at" timestamptz(3),
	"ended_at" timestamptz(3),
	CONSTRAINT "platforms_plan" CHECK ("platforms"."plan" in ('developer', 'starter', 'pro', 'growth', 'scale', 'enterprise')),
	CONSTRAINT "platforms_redirect_uris" CHECK (cardinality("platforms"."redirect_uris") <= 5),
	CONSTRAINT "platforms_on_decline" CHECK ("platforms"."on_decline" in ('notify', 'cancel', 'reschedule', 'propose')),
	CONSTRAINT "platforms_ended" CHECK ("platforms"."ended_at" is null or "platforms"."suspended_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "proposal_times" (
	"id" text PRIMARY KEY NOT NULL,
	"proposal_id" text NOT NULL,
	"position" integer NOT NULL,
	"starts_at" timestamptz(3) NOT NULL,
	"ends_at" timestamptz(3) NOT NULL,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	CONSTRAINT "proposal_times_status" CHECK ("proposal_times"."status" in ('held', 'accepted', 'released')),
	CONSTRAINT "proposal_times_order" CHECK ("proposal_times"."starts_at" < "proposal_times"."ends_at")
);
--> statement-breakpoint
CREATE TABLE "proposals" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"requester_id" text NOT NULL,
	"other_id" text NOT NULL,
	"requester_email" text NOT NULL,
	"other_email" text NOT NULL,
	"requester_name" text,
	"status" text NOT NULL,
	"duration_minutes" integer NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"location" text NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	"on_expiry" text DEFAULT 'cancel' NOT NULL,
	"due_at" timestamptz(3),
	"expires_in_hours" integer DEFAULT 48 NOT NULL,
	"reason" text,
	"owner" text,
	"meeting_id" text,
	"moves_meeting_id" text,
	"moves_from" "tstzrange",
	"is_for_decline" boolean DEFAULT false NOT NULL,
	"reading" jsonb,
	"counter_of" text,
	"counters" integer DEFAULT 0 NOT NULL,
	"token_hash" text,
	"token" text,
	"guest_name" text,
	"guest_time_zone" text,
	"created_at" timestamptz(3) NOT NULL,
	"ended_at" timestamptz(3),
	"untold" boolean DEFAULT false NOT NULL,
	CONSTRAINT "proposals_status" CHECK ("proposals"."status" in ('open', 'accepted', 'declined', 'countered', 'expired', 'withdrawn')),
	CONSTRAINT "proposals_on_expiry" CHECK ("proposals"."on_expiry" in ('cancel', 'book_first')),
	CONSTRAINT "proposals_end" CHECK (("proposals"."status" = 'open') = ("proposals"."ended_at" is null)),
	CONSTRAINT "proposals_meeting" CHECK ("proposals"."status" = 'open' or ("proposals"."status" = 'accepted') = ("proposals"."meeting_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "revocations" (
	"provider_id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"email" text NOT NULL,
	"turn_of" text NOT NULL,
	"generation" integer NOT NULL,
	"token" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"owner" text,
	"lease_until" timestamptz(3),
	"held_until" timestamptz(3),
	"due_at" timestamptz(3) NOT NULL,
	"created_at" timestamptz(3) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text,
	"user_id" text,
	"read_only" boolean DEFAULT false NOT NULL,
	"browser" text,
	"created_at" timestamptz(3) NOT NULL,
	"opened_at" timestamptz(3),
	"expires_at" timestamptz(3) NOT NULL,
	"ended_at" timestamptz(3),
	CONSTRAINT "sessions_owner" CHECK (("sessions"."platform_id" is null) <> ("sessions"."user_id" is null)),
	CONSTRAINT "sessions_opened" CHECK ("sessions"."user_id" is null or "sessions"."opened_at" is not null)
);
--> statement-breakpoint
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
CREATE TABLE "usage" (
	"platform_id" text NOT NULL,
	"month" text NOT NULL,
	"used" integer NOT NULL,
	"confirmed" integer DEFAULT 0 NOT NULL,
	"quota" integer,
	CONSTRAINT "usage_pkey" PRIMARY KEY("platform_id","month"),
	CONSTRAINT "usage_within_quota" CHECK ("usage"."confirmed" between 0 and "usage"."used" and ("usage"."quota" is null or "usage"."used" <= "usage"."quota"))
);
--> statement-breakpoint
CREATE TABLE "usage_notices" (
	"platform_id" text NOT NULL,
	"month" text NOT NULL,
	"percentage" integer NOT NULL,
	"event_id" text NOT NULL,
	"created_at" timestamptz(3) NOT NULL,
	CONSTRAINT "usage_notices_pkey" PRIMARY KEY("platform_id","month","percentage"),
	CONSTRAINT "usage_notices_percentage" CHECK ("usage_notices"."percentage" in (80, 100))
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"calendar_time_zone" text DEFAULT '' NOT NULL,
	"zone_read_at" timestamptz(3),
	"preferences" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"suggested_by" text,
	"suggested" text[] DEFAULT '{}' NOT NULL,
	"weights" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"onboarding_completed" boolean DEFAULT false NOT NULL,
	"guest_of" text,
	"guest_email" text,
	"created_at" timestamptz(3) NOT NULL,
	"ended_at" timestamptz(3),
	CONSTRAINT "users_guest_email" CHECK (("users"."guest_of" is null) = ("users"."guest_email" is null)),
	CONSTRAINT "users_email_lower" CHECK ("users"."email" = lower("users"."email"))
);
--> statement-breakpoint
CREATE TABLE "watch_channels" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"calendar" text NOT NULL,
	"token_hash" text NOT NULL,
	"resource_id" text,
	"opened_at" timestamptz(3) NOT NULL,
	"expires_at" timestamptz(3),
	"verified_at" timestamptz(3),
	"last_message" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"platform_id" text PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"events" text[],
	"max_retries" integer DEFAULT 3 NOT NULL,
	"timeout_seconds" integer DEFAULT 30 NOT NULL,
	"secret" text NOT NULL,
	"previous_secrets" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"redeliver_hours" integer DEFAULT 24 NOT NULL,
	"failing_since" timestamptz(3),
	"redeliver_from" timestamptz(3),
	"redeliver_at" timestamptz(3),
	"redeliver_step" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamptz(3) NOT NULL,
	CONSTRAINT "webhook_endpoints_redeliver" CHECK ("webhook_endpoints"."redeliver_hours" between 0 and 72),
	CONSTRAINT "webhook_endpoints_retries" CHECK ("webhook_endpoints"."max_retries" between 1 and 3),
	CONSTRAINT "webhook_endpoints_timeout" CHECK ("webhook_endpoints"."timeout_seconds" between 1 and 30)
);
--> statement-breakpoint
ALTER TABLE "agent_codes" ADD CONSTRAINT "agent_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_meetings" ADD CONSTRAINT "batch_meetings_batch" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "busy_snapshots" ADD CONSTRAINT "busy_snapshots_user_id_calendar_accounts_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."calendar_accounts"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendar_accounts" ADD CONSTRAINT "calendar_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_delivery_id_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_days" ADD CONSTRAINT "delivery_days_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_answers" ADD CONSTRAINT "event_answers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_answers" ADD CONSTRAINT "event_answers_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_meeting_id_meetings_id_fk" FOREIGN KEY ("meeting_id") REFERENCES "public"."meetings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_proposal_id_proposals_id_fk" FOREIGN KEY ("proposal_id") REFERENCES "public"."proposals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "learning_ledger" ADD CONSTRAINT "learning_ledger_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_people" ADD CONSTRAINT "meeting_people_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_people" ADD CONSTRAINT "meeting_people_meeting" FOREIGN KEY ("meeting_id","platform_id","starts_at") REFERENCES "public"."meetings"("id","platform_id","starts_at") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_organizer_id_users_id_fk" FOREIGN KEY ("organizer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pending_operations" ADD CONSTRAINT "pending_operations_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposal_times" ADD CONSTRAINT "proposal_times_proposal_id_proposals_id_fk" FOREIGN KEY ("proposal_id") REFERENCES "public"."proposals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_requester_id_users_id_fk" FOREIGN KEY ("requester_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_other_id_users_id_fk" FOREIGN KEY ("other_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_moves_meeting_id_meetings_id_fk" FOREIGN KEY ("moves_meeting_id") REFERENCES "public"."meetings"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_counter_of_proposals_id_fk" FOREIGN KEY ("counter_of") REFERENCES "public"."proposals"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "revocations" ADD CONSTRAINT "revocations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "standing_rules" ADD CONSTRAINT "standing_rules_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage" ADD CONSTRAINT "usage_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_notices" ADD CONSTRAINT "usage_notices_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_suggested_by_platforms_id_fk" FOREIGN KEY ("suggested_by") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_guest_of_platforms_id_fk" FOREIGN KEY ("guest_of") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch_channels" ADD CONSTRAINT "watch_channels_user_id_calendar_accounts_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."calendar_accounts"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_codes_user" ON "agent_codes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "agent_codes_expires" ON "agent_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "api_keys_user" ON "api_keys" USING btree ("user_id") WHERE "api_keys"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "api_keys_replaced" ON "api_keys" USING btree ("platform_id","revoked_at") WHERE "api_keys"."platform_id" is not null and "api_keys"."revoked_at" is not null;--> statement-breakpoint
CREATE INDEX "api_keys_revoked" ON "api_keys" USING btree ("revoked_at") WHERE "api_keys"."revoked_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_one_live_per_platform" ON "api_keys" USING btree ("platform_id","kind") WHERE "api_keys"."revoked_at" is null and "api_keys"."platform_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_one_live_per_user" ON "api_keys" USING btree ("user_id") WHERE "api_keys"."revoked_at" is null and "api_keys"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_platform" ON "audit_log" USING btree ("platform_id","at","id") WHERE "audit_log"."platform_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_user" ON "audit_log" USING btree ("user_id") WHERE "audit_log"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "batch_meetings_meeting" ON "batch_meetings" USING btree ("meeting_id") WHERE "batch_meetings"."meeting_id" is not null;--> statement-breakpoint
CREATE INDEX "batch_meetings_requester" ON "batch_meetings" USING btree ("requester_email");--> statement-breakpoint
CREATE INDEX "batch_meetings_other" ON "batch_meetings" USING btree ("other_email");--> statement-breakpoint
CREATE INDEX "batches_due" ON "batches" USING btree ("platform_id","next_run_at") WHERE "batches"."next_run_at" is not null;--> statement-breakpoint
CREATE INDEX "batches_age" ON "batches" USING btree ("platform_id","created_at");--> statement-breakpoint
CREATE INDEX "busy_snapshots_due" ON "busy_snapshots" USING btree ("turn_of","due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "calendar_accounts_provider" ON "calendar_accounts" USING btree ("provider_id");--> statement-breakpoint
CREATE INDEX "calendar_accounts_reauthorization" ON "calendar_accounts" USING btree ("reauthorization_needed_since") WHERE "calendar_accounts"."status" = 'needs_reauthorization';--> statement-breakpoint
CREATE INDEX "connections_page" ON "connections" USING btree ("platform_id","connected_at","user_id") WHERE "connections"."disconnected_at" is null;--> statement-breakpoint
CREATE INDEX "connections_user" ON "connections" USING btree ("user_id","platform_id");--> statement-breakpoint
CREATE INDEX "deliveries_log" ON "deliveries" USING btree ("platform_id","created_at","id");--> statement-breakpoint
CREATE INDEX "deliveries_log_by_event" ON "deliveries" USING btree ("platform_id","event_type","created_at","id");--> statement-breakpoint
CREATE INDEX "deliveries_log_by_status" ON "deliveries" USING btree ("platform_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "deliveries_log_by_url" ON "deliveries" USING btree ("platform_id",md5("url"),"status","created_at","id");--> statement-breakpoint
CREATE INDEX "deliveries_log_rescheduled" ON "deliveries" USING btree ("platform_id","created_at","id") WHERE ("deliveries"."event_type" = 'meeting.updated' or ("deliveries"."event_type" = 'meeting.scheduled' and "deliveries"."body" like '%"rescheduled_from":%'));--> statement-breakpoint
CREATE INDEX "deliveries_meeting" ON "deliveries" USING btree ("platform_id","meeting_id") WHERE "deliveries"."meeting_id" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("platform_id","next_attempt_at") WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_replayable" ON "deliveries" USING btree ("platform_id","status","event_at","id") WHERE "deliveries"."event_at" is not null and "deliveries"."status" <> 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_redelivered" ON "deliveries" USING btree ("platform_id") WHERE "deliveries"."redeliveries" > 0 and "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_replays" ON "deliveries" USING btree ("platform_id","event_id") WHERE "deliveries"."replay_of" is not null;--> statement-breakpoint
CREATE INDEX "event_answers_declines" ON "event_answers" USING btree ("platform_id","decline_due_at") WHERE "event_answers"."decline_due_at" is not null;--> statement-breakpoint
CREATE INDEX "holds_proposal" ON "holds" USING btree ("proposal_id") WHERE "holds"."proposal_id" is not null;--> statement-breakpoint
CREATE INDEX "holds_during" ON "holds" USING gist ("user_id","during");--> statement-breakpoint
CREATE INDEX "holds_over" ON "holds" USING btree (upper("during"));--> statement-breakpoint
CREATE INDEX "idempotency_keys_resource" ON "idempotency_keys" USING btree ("resource_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "jobs_ended" ON "jobs" USING btree ("platform_id","completed_at") WHERE "jobs"."completed_at" is not null;--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("platform_id","next_run_at") WHERE "jobs"."status" = 'processing';--> statement-breakpoint
CREATE UNIQUE INDEX "learning_ledger_once_per_meeting" ON "learning_ledger" USING btree ("user_id","meeting_id","weight") WHERE "learning_ledger"."meeting_id" is not null;--> statement-breakpoint
CREATE INDEX "learning_ledger_undone" ON "learning_ledger" USING btree ("undone_at") WHERE "learning_ledger"."undone_at" is not null;--> statement-breakpoint
CREATE INDEX "learning_ledger_user" ON "learning_ledger" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "meeting_people_position" ON "meeting_people" USING btree ("meeting_id","position");--> statement-breakpoint
CREATE INDEX "meeting_people_user" ON "meeting_people" USING btree ("user_id","platform_id","starts_at","meeting_id");--> statement-breakpoint
CREATE INDEX "meetings_event" ON "meetings" USING btree ("provider_event_id");--> statement-breakpoint
CREATE INDEX "meetings_failed" ON "meetings" USING btree ("platform_id","failed_at") WHERE "meetings"."failed_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "meetings_one_per_job" ON "meetings" USING btree ("job_id") WHERE "meetings"."job_id" is not null;--> statement-breakpoint
CREATE INDEX "meetings_organizer" ON "meetings" USING btree ("organizer_id","ends_at");--> statement-breakpoint
CREATE INDEX "meetings_platform" ON "meetings" USING btree ("platform_id","starts_at","id");--> statement-breakpoint
CREATE INDEX "meetings_made" ON "meetings" USING btree ("platform_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "meetings_one_replacement" ON "meetings" USING btree ("rescheduled_from") WHERE "meetings"."rescheduled_from" is not null;--> statement-breakpoint
CREATE INDEX "pending_operations_due" ON "pending_operations" USING btree ("platform_id","due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "proposal_times_position" ON "proposal_times" USING btree ("proposal_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "proposal_times_one_accepted" ON "proposal_times" USING btree ("proposal_id") WHERE "proposal_times"."status" = 'accepted';--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_one_per_meeting" ON "proposals" USING btree ("meeting_id") WHERE "proposals"."meeting_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_token" ON "proposals" USING btree ("token_hash") WHERE "proposals"."token_hash" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_one_open_move" ON "proposals" USING btree ("moves_meeting_id") WHERE "proposals"."status" = 'open';--> statement-breakpoint
CREATE INDEX "proposals_moves" ON "proposals" USING btree ("moves_meeting_id") WHERE "proposals"."moves_meeting_id" is not null;--> statement-breakpoint
CREATE INDEX "proposals_counter" ON "proposals" USING btree ("counter_of") WHERE "proposals"."counter_of" is not null;--> statement-breakpoint
CREATE INDEX "proposals_made" ON "proposals" USING btree ("platform_id","created_at","id");--> statement-breakpoint
CREATE INDEX "proposals_due" ON "proposals" USING btree ("platform_id","expires_at") WHERE "proposals"."status" = 'open';--> statement-breakpoint
CREATE INDEX "proposals_untold" ON "proposals" USING btree ("platform_id","ended_at") WHERE "proposals"."untold";--> statement-breakpoint
CREATE INDEX "proposals_ended" ON "proposals" USING btree ("platform_id","ended_at") WHERE "proposals"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "proposals_requester" ON "proposals" USING btree ("requester_id");--> statement-breakpoint
CREATE INDEX "proposals_other" ON "proposals" USING btree ("other_id");--> statement-breakpoint
CREATE INDEX "revocations_due" ON "revocations" USING btree ("turn_of","due_at");--> statement-breakpoint
CREATE INDEX "revocations_age" ON "revocations" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "revocations_email" ON "revocations" USING btree ("email");--> statement-breakpoint
CREATE INDEX "sessions_platform" ON "sessions" USING btree ("platform_id") WHERE "sessions"."platform_id" is not null and "sessions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id") WHERE "sessions"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "sessions_expires" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "standing_rules_user" ON "standing_rules" USING btree ("user_id","source","position");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "users_ended" ON "users" USING btree ("ended_at") WHERE "users"."ended_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_guest" ON "users" USING btree ("guest_of","guest_email") WHERE "users"."guest_of" is not null;--> statement-breakpoint
CREATE INDEX "watch_channels_user" ON "watch_channels" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_redeliver_due" ON "webhook_endpoints" USING btree ("redeliver_at") WHERE "webhook_endpoints"."redeliver_at" is not null;
--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_no_overlap" EXCLUDE USING gist ("user_id" WITH =, "during" WITH &&, "event_id" WITH <>) WHERE ("exclusive");
--> statement-breakpoint
-- Whoever reserves or frees a person's time makes the stored busy times stale, as a push of the calendar does. Otherwise an
-- answer that changes while its `read_at` stays would tell a platform that others reserve the time, and that it is no event.
CREATE FUNCTION stale_busy_times() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE busy_snapshots SET dirty_gen = dirty_gen + 1 WHERE user_id IN (
		SELECT b.user_id FROM busy_snapshots b WHERE b.user_id IN (SELECT c.user_id FROM changed c) ORDER BY b.user_id FOR UPDATE);
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER holds_reserved AFTER INSERT ON "holds" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION stale_busy_times();
--> statement-breakpoint
CREATE TRIGGER holds_freed AFTER DELETE ON "holds" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION stale_busy_times();
