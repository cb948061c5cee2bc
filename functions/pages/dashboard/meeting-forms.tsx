import type { Child } from 'hono/jsx';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { formatInZone, localDate } from '../../../lib/engine/time/zone.ts';
import type { MeetingLife } from '../../../lib/meetings/index.ts';
import { EXPIRY_HOURS } from '../../../schema/api/proposals.ts';
import { isLive } from '../../../schema/api/states.ts';
import { Check, describes, Field, FieldError, Form, InputField, Submit } from '../components.tsx';
import { WhyLink } from './parts.tsx';
import type { FormRefusal } from './session.ts';

export type ActionState = { name: 'cancel' | 'reschedule' | 'propose'; refusal: FormRefusal; given: URLSearchParams };

type ActionsProps = { life: MeetingLife; now: number; mayChange: boolean; state: ActionState | undefined };

/** Renders what a person can do with a meeting. A meeting that has begun or ended cannot be moved or cancelled here. */
export function Actions({ life, now, mayChange, state }: ActionsProps) {
  const { meeting } = life;
  const isAhead = isLive(meeting.status) && meeting.start > now;
  return (
    <div class="acts">
      {isAhead && mayChange ? (
        <>
          <Reschedule life={life} state={state} />
          <Propose life={life} state={state} />
          <Cancel life={life} state={state} />
        </>
      ) : null}
      <WhyLink asked={questionOf(life)} />
    </div>
  );
}

type FormProps = Pick<ActionsProps, 'life' | 'state'>;

const isRefused = (state: ActionState | undefined, name: ActionState['name']) => state?.name === name;

function Reschedule({ life: { meeting }, state }: FormProps) {
  const isOpen = isRefused(state, 'reschedule');
  const given = isOpen ? state?.given : undefined;
  const error = isOpen && state?.refusal.field === 'reason' ? state.refusal.message : undefined;
  const whoError = isOpen && state?.refusal.field === 'requested_by' ? state.refusal.message : undefined;
  const asked = given?.get('requested_by') ?? meeting.requester.email;
  return (
    <Act id={meeting.id} name="reschedule" label="Reschedule" isOpen={isOpen}>
      <fieldset class="field">
        <legend>Who asks for another time?</legend>
        <div>
          {[meeting.requester.email, meeting.other.email].map((email) => (
            <Check type="radio" name="requested_by" value={email} checked={email === asked} label={email} />
          ))}
        </div>
        <FieldError id="requested_by" error={whoError} />
      </fieldset>
      <Field
        id="reason"
        label="Why, in their own words"
        hint="Tandem reads from this which time they want, such as “Thursday afternoon” or “not before ten”."
        error={error}
      >
        <textarea {...describes({ id: 'reason', hint: true, error })} name="reason" required maxlength={1000}>
          {given?.get('reason') ?? ''}
        </textarea>
      </Field>
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
  const isOpen = isRefused(state, 'propose');
  const error = isOpen && state?.refusal.field === 'expires_in_hours' ? state.refusal.message : undefined;
  const [shortest, longest] = EXPIRY_HOURS;
  return (
    <Act id={meeting.id} name="propose" label="Propose times" isOpen={isOpen}>
      <p>
        Tandem holds the three best other times and makes a link for {meeting.other.email}. The meeting stays as it is
        until they accept one.
      </p>
      <InputField
        id="expires_in_hours"
        label="Hours to answer"
        error={error}
        type="number"
        min={shortest}
        max={longest}
        required
        value={(isOpen ? state?.given.get('expires_in_hours') : undefined) ?? '48'}
      />
      <p class="actions">
        <button type="submit">Make the proposal</button>
      </p>
    </Act>
  );
}

const Cancel = ({ life: { meeting }, state }: FormProps) => (
  <Act id={meeting.id} name="cancel" label="Cancel" isOpen={isRefused(state, 'cancel')} kind="danger">
    <p>
      The meeting is taken off both calendars, and you receive <code>meeting.cancelled</code>. This cannot be undone.
    </p>
    <p class="actions">
      <Submit kind="danger">Cancel the meeting now</Submit>
    </p>
  </Act>
);

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

function questionOf({ meeting: { requester, other, start, end }, timeZones: [zone] }: MeetingLife) {
  const time = zone && { date: localDate(zone, start), time: formatInZone(zone, start).slice(11, 16) };
  const minutes = String(Math.round((end - start) / MINUTE));
  return { first: requester.email, second: other.email, minutes, ...time };
}
