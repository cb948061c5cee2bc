import type { HeldTimes } from '../../../lib/meetings/index.ts';
import { PostForm } from '../components.tsx';
import { keptUntil, momentOn, whenOn } from '../proposal/times.ts';

export const HeldSection = ({
  holds,
  timeZone,
  csrf,
}: Record<'timeZone' | 'csrf', string> & { holds: readonly HeldTimes[] }) => (
  <section class="card" id="held">
    <h2>Times on hold</h2>
    <p>
      Platforms offer these times for meetings with you. Nobody else can book them until then, or until you free them,
      which ends the offer.
    </p>
    <ul class="rows">
      {holds.map(({ proposalId, platformName, withWhom, times, expiresAt }) => (
        <li>
          <div>
            <strong>
              <bdi>{platformName}</bdi>
            </strong>
            , with <bdi>{withWhom}</bdi>
            {times.map((time) => (
              <>
                <br />
                <time datetime={new Date(time.start).toISOString()}>{whenOn(time, timeZone)}</time>
              </>
            ))}
            <br />
            On hold until <strong>{momentOn(keptUntil(times, expiresAt).at, timeZone)}</strong>
            {keptUntil(times, expiresAt).more}
          </div>
          <PostForm
            action="/me/held/end"
            csrf={csrf}
            fields={{ id: proposalId }}
            kind="danger"
            isTiny
            about={`with ${withWhom}`}
          >
            {times.length === 1 ? 'Free this time' : 'Free these times'}
          </PostForm>
        </li>
      ))}
    </ul>
  </section>
);
