import type { Child } from 'hono/jsx';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { formatInZone, localDate } from '../../../lib/engine/time/zone.ts';
import type { MeetingLife } from '../../../lib/meetings/index.ts';
import { EXPIRY_HOURS } from '../../../schema/api/proposals.ts';
import { isLive } from '../../../schema/api/states.ts';
import { Form, InputField, Radios, Submit, TextField } from '../components.tsx';
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

/** Returns what the person typed into the refused form, and the error of each field. Undefined for another form. */
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

const Cancel = ({ life: { meeting }, state }: FormProps) => (
  <Act id={meeting.id} name="cancel" label="Cancel" isOpen={state?.name === 'cancel'} kind="danger">
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
