import type { HeldTimes } from '../../../lib/meetings/index.ts';
import { PostForm } from '../components.tsx';
import { momentOn, whenOn } from '../proposal/times.ts';

interface Props {
  holds: readonly HeldTimes[];
  timeZone: string;
  csrf: string;
}

export const HeldSection = ({ holds, timeZone, csrf }: Props) => (
  <section class="card" id="held">
    <h2>Times on hold</h2>
    <p>A platform offered these times for a meeting with you. Nobody else can book them until the offer ends.</p>
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
            <small class="muted">On hold until {momentOn(expiresAt, timeZone)}</small>
          </div>
          <PostForm
            action="/me/held/end"
            csrf={csrf}
            fields={{ id: proposalId }}
            kind="danger"
            isTiny
            about={`the times with ${withWhom}`}
          >
            Free
          </PostForm>
        </li>
      ))}
    </ul>
  </section>
);
