import { type Context, Hono } from 'hono';
import { type Child, useContext } from 'hono/jsx';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { formatInZone, localDate } from '../../../lib/engine/time/zone.ts';
import type { Platform } from '../../../lib/kit/context.ts';
import { AppError, hasCode } from '../../../lib/kit/errors.ts';
import { sha256 } from '../../../lib/kit/ids.ts';
import * as domain from '../../../lib/meetings/index.ts';
import * as api from '../../../schema/api/meetings.ts';
import { EXPIRY_HOURS, type MadeProposal, ProposalRequest, USUAL_TIMES } from '../../../schema/api/proposals.ts';
import { isLive } from '../../../schema/api/states.ts';
import type { IdempotentRequest } from '../../../schema/meetings/idempotency.ts';
import type { IdempotentOperation } from '../../../schema/tables/platforms.ts';
import type { AppEnv } from '../../http/env.ts';
import { check } from '../../http/input.ts';
import { PageClock, Span } from '../clock.tsx';
import { Facts, type FactsProps, Form, InputField, Notice, Radios, Status, Submit, TextField } from '../components.tsx';
import { redirectDone, saidDone } from '../session-cookie.ts';
import { renderDashboard } from './frame.tsx';
import { History, lifeOf } from './life.tsx';
import { RSVP_WORDS, STATUSES } from './meetings.tsx';
import { ROLES, titled, WhyLink, writtenFacts } from './parts.tsx';
import { personPath } from './person.tsx';
import { currentPlatform, type FormRefusal, form, idOf, mayChange, onceOf, openedSession, page } from './session.ts';

const PATH = '/dashboard/meetings';

export const meeting = new Hono<AppEnv>();

page(meeting, `${PATH}/:id`, (c) => renderMeeting(c));

const DONE = {
  moved: 'The meeting is moved. This is the new meeting, with a new ID.',
  'cancelled-deleted': 'The meeting is cancelled and taken off both calendars.',
  'cancelled-kept':
    'The meeting is cancelled. Its calendar event stays, because Tandem lost access to the requester’s calendar.',
  'cancelled-unknown':
    'The meeting is cancelled. The calendar did not answer, so Tandem will take the event off the calendars later.',
};

async function renderMeeting(c: Context<AppEnv>, state?: ActionState) {
  const { ctx } = c.var;
  const life = await domain.readMeetingLife(ctx, currentPlatform(c), idOf(c));
  const sent = state === undefined ? { done: await saidDone(c, DONE) } : { status: state.refusal.status };
  return renderDashboard(
    c,
    { title: titled(life.meeting.title), at: PATH, ...sent },
    <>
      {state === undefined ? null : (
        <Notice kind="bad" title="Nothing was changed">
          <p>{state.refusal.message}</p>
        </Notice>
      )}
      <Actions life={life} now={ctx.clock.now()} mayChange={await mayChange(c)} state={state} />
      <Life {...life} />
    </>,
  );
}

function Life(life: domain.MeetingLife) {
  const { meeting: shown, timeZones, earlier, later, reading } = life;
  const link = shown.meetLink && (
    <a href={shown.meetLink} rel="noreferrer">
      {shown.meetLink}
    </a>
  );
  const askedBy = [shown.requester, shown.other][reading?.askedBy ?? -1];
  return (
    <>
      <Facts
        of={[
          ['Status', <Status of={STATUSES[shown.status]} />],
          ['When', <Span start={shown.start} end={shown.end} />],
          ['Was', earlier && <Replaced {...earlier} />],
          ['Now', later && <Replaced {...later} />],
          ['Asked to move', askedBy?.email],
          ...[shown.requester, shown.other].map(
            ({ email, isConnected, responseStatus }, place): FactsProps['of'][number] => {
              const answer = place === 0 ? '' : `: ${RSVP_WORDS[responseStatus]}`;
              const theirs = timeZones[place] && <Span start={shown.start} end={shown.end} zone={timeZones[place]} />;
              return [
                ROLES[place],
                [
                  <a href={personPath(email)}>{email}</a>,
                  answer,
                  isConnected ? null : <div class="muted">Not connected</div>,
                  theirs && <div class="muted">{theirs}</div>,
                ],
              ];
            },
          ),
          ['Where', [<bdi>{shown.location}</bdi>, link && [<br />, link]]],
          ...writtenFacts({ ...shown, what: 'meeting' }),
        ]}
      />
      <History of={lifeOf(life, useContext(PageClock))} />
      <p class="hint">
        Deliveries are kept for 30 days. For anything older, this page shows only what the meeting itself records.
      </p>
    </>
  );
}

const Replaced = ({ id, start, end }: NonNullable<domain.MeetingLife['earlier']>) => (
  <>
    <Span start={start} end={end} />, <a href={`${PATH}/${id}`}>see that meeting</a>
  </>
);

const PROPOSALS = '/dashboard/proposals';

action('cancel', async (c, { id, once }) => {
  const { calendar_event: event } = await once<api.CancelledMeeting>('cancel', (platform, idempotency) =>
    domain.cancelMeeting(c.var.ctx, platform, { id, idempotency }),
  );
  return `${PATH}/${id}?done=cancelled-${event}`;
});

action('reschedule', async (c, { id, given, once }) => {
  const { ctx } = c.var;
  const { requested_by, reason, propose } = check(api.RescheduleRequest, {
    requested_by: given.get('requested_by') ?? '',
    reason: given.get('reason') ?? '',
    propose: given.get('propose') === 'true',
  });
  const move = { id, requestedBy: requested_by, reason };
  if (propose) {
    const { proposal_id } = await once<api.ProposedReschedule>('reschedule', (platform, idempotency) =>
      domain.proposeReschedule(ctx, platform, { ...move, idempotency }),
    );
    return `${PROPOSALS}/${proposal_id}?done=made`;
  }
  const { new_meeting_id } = await once<api.RescheduledMeeting>('reschedule', (platform, idempotency) =>
    domain.rescheduleMeeting(ctx, platform, { ...move, idempotency }),
  );
  return `${PATH}/${new_meeting_id}?done=moved`;
});

action('propose', async (c, { id, given, once }) => {
  const { expires_in_hours: expiresInHours, on_expiry: onExpiry } = check(ProposalRequest, {
    meeting_id: id,
    expires_in_hours: Number(given.get('expires_in_hours') || Number.NaN),
  });
  const { proposal_id } = await once<MadeProposal>('propose', (platform, idempotency) =>
    domain.proposeMove(c.var.ctx, platform, {
      ...{ meetingId: id, attendees: undefined, durationMinutes: undefined, starts: undefined },
      ...{ requesterName: null, count: USUAL_TIMES, expiresInHours, onExpiry, idempotency, warnings: [] },
    }),
  );
  return `${PROPOSALS}/${proposal_id}?done=made`;
});

interface Sent {
  id: string;
  given: URLSearchParams;
  /** Runs it under the idempotency key of this showing of the form, so that a form sent twice takes effect once. */
  once<A>(
    operation: IdempotentOperation,
    run: (platform: Platform, idempotency: IdempotentRequest) => Promise<A>,
  ): Promise<A>;
}

function action(name: ActionState['name'], run: (c: Context<AppEnv>, sent: Sent) => Promise<string>): void {
  const refused = (c: Context<AppEnv>, refusal: FormRefusal, given: URLSearchParams) =>
    renderMeeting(c, { name, refusal, given });
  form(meeting, `${PATH}/:id/${name}`, { refused }, async (c, given) => {
    const key = `form:${onceOf(given)}`;
    const once: Sent['once'] = async (operation, run) => {
      const fingerprint = await sha256(`FORM ${c.req.path} ${JSON.stringify([...given])}`);
      const { platform } = openedSession(c);
      const idempotency = { platformId: platform.id, operation, key, fingerprint };
      return domain.runOnce(c.var.ctx, idempotency, () => run(platform, idempotency), { lookFirst: true });
    };
    return redirectDone(c, await run(c, { id: idOf(c), given, once }).catch(sentBefore));
  });
}

function sentBefore(error: unknown): never {
  if (!hasCode(error, 'idempotency_key_reused')) throw error;
  throw new AppError(
    'idempotency_key_reused',
    'This form was already sent once, with other text. The first text counts. Reload the page to see the meeting as it is now.',
  );
}

type ActionState = { name: 'cancel' | 'reschedule' | 'propose'; refusal: FormRefusal; given: URLSearchParams };

type ActionsProps = { life: domain.MeetingLife; now: number; mayChange: boolean; state: ActionState | undefined };

function Actions({ life, now, mayChange, state }: ActionsProps) {
  const { meeting } = life;
  const isAhead = isLive(meeting.status) && meeting.start > now;
  return (
    <div class="acts">
      {isAhead && mayChange ? (
        <>
          <Reschedule life={life} state={state} />
          <Propose life={life} state={state} />
          <Act id={meeting.id} name="cancel" label="Cancel" isOpen={state?.name === 'cancel'} kind="danger">
            <p>
              The meeting is taken off both calendars, and you receive <code>meeting.cancelled</code>. This cannot be
              undone.
            </p>
            <p class="actions">
              <Submit kind="danger">Cancel the meeting now</Submit>
            </p>
          </Act>
        </>
      ) : null}
      <WhyLink asked={questionOf(life)} />
    </div>
  );
}

type FormProps = Pick<ActionsProps, 'life' | 'state'>;

const refusedOf = (state: ActionState | undefined, name: ActionState['name']) => {
  if (state?.name !== name) return undefined;
  const { given, refusal } = state;
  return { given, errorAt: (field: string) => (refusal.field === field ? refusal.message : undefined) };
};

function Reschedule({ life: { meeting }, state }: FormProps) {
  const refused = refusedOf(state, 'reschedule');
  const people = [meeting.requester.email, meeting.other.email];
  return (
    <Act id={meeting.id} name="reschedule" label="Reschedule" isOpen={refused !== undefined}>
      <Radios
        name="requested_by"
        legend="Who asks for another time?"
        chosen={refused?.given.get('requested_by') ?? meeting.requester.email}
        options={people.map((email) => [email, email] as const)}
        error={refused?.errorAt('requested_by')}
      />
      <TextField
        id="reason"
        label="Why, in their own words"
        hint="Tandem reads from this which time they want, such as “Thursday afternoon” or “not before ten”."
        error={refused?.errorAt('reason')}
        required
        maxlength={1000}
        text={refused?.given.get('reason') ?? ''}
      />
      <p class="actions">
        <button type="submit">Move to the best time</button>
        <button type="submit" class="quiet" name="propose" value="true">
          Propose three times instead
        </button>
      </p>
    </Act>
  );
}

function Propose({ life: { meeting }, state }: FormProps) {
  const refused = refusedOf(state, 'propose');
  const [shortest, longest] = EXPIRY_HOURS;
  return (
    <Act id={meeting.id} name="propose" label="Propose times" isOpen={refused !== undefined}>
      <p>
        Tandem holds the three best other times and makes a link for {meeting.other.email}. The meeting stays as it is
        until they accept one.
      </p>
      <InputField
        id="expires_in_hours"
        label="Hours to answer"
        error={refused?.errorAt('expires_in_hours')}
        type="number"
        min={shortest}
        max={longest}
        required
        value={refused?.given.get('expires_in_hours') ?? '48'}
      />
      <p class="actions">
        <button type="submit">Make the proposal</button>
      </p>
    </Act>
  );
}

interface ActProps {
  id: string;
  name: ActionState['name'];
  label: string;
  isOpen: boolean;
  kind?: 'quiet' | 'danger';
  children: Child;
}

/** Only one form is open at a time. */
const Act = ({ id, name, label, isOpen, kind = 'quiet', children }: ActProps) => (
  <details name="act" open={isOpen}>
    <summary class={`button ${kind}`}>{label}</summary>
    <Form action={`/dashboard/meetings/${id}/${name}`} isOnce>
      {children}
    </Form>
  </details>
);

function questionOf({ meeting: { requester, other, start, end }, timeZones: [zone] }: domain.MeetingLife) {
  const time = zone && { date: localDate(zone, start), time: formatInZone(zone, start).slice(11, 16) };
  const minutes = String(Math.round((end - start) / MINUTE));
  return { first: requester.email, second: other.email, minutes, ...time };
}
