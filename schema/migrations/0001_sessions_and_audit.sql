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
	CONSTRAINT "audit_log_action" CHECK ("audit_log"."action" in ('key.created', 'key.replaced', 'key.reissued', 'key.revoked', 'link.created', 'secret.rotated', 'endpoint.changed', 'endpoint.settings_changed', 'redirect_uris.changed', 'settings.changed', 'session.opened', 'session.ended', 'sessions.ended', 'person.disconnected', 'person.erased', 'platform.created', 'platform.renamed', 'platform.plan_changed', 'platform.suspended', 'platform.resumed', 'platform.deleted')),
	CONSTRAINT "audit_log_actor" CHECK ("audit_log"."actor_kind" in ('key', 'session', 'operator', 'person', 'google', 'service'))
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
ALTER TABLE "platforms" ADD COLUMN "suspended_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "platforms" ADD COLUMN "ended_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_platform" ON "audit_log" USING btree ("platform_id","at","id") WHERE "audit_log"."platform_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_user" ON "audit_log" USING btree ("user_id") WHERE "audit_log"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "sessions_platform" ON "sessions" USING btree ("platform_id") WHERE "sessions"."platform_id" is not null and "sessions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id") WHERE "sessions"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "sessions_expires" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "platforms" ADD CONSTRAINT "platforms_ended" CHECK ("platforms"."ended_at" is null or "platforms"."suspended_at" is not null);