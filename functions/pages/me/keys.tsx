import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { Empty, PostForm } from '../components.tsx';
import { momentOn } from '../proposal/times.ts';
import { dateOf } from './date-of.ts';

/** An API key of a person: one that they created and copied into an app. */
export interface OwnKey {
  masked: string;
  createdAt: number;
}

interface Props {
  keys: readonly OwnKey[];
  /** Undefined if they can create one now. */
  newKeyAt: number | undefined;
  /** Random value in the form that creates an API key, so that sending the form twice creates one key. */
  once: string;
  timeZone: string;
  csrf: string;
}

export function KeysSection({ keys, newKeyAt, once, timeZone, csrf }: Props) {
  return (
    <section class="card" id="key">
      <h2>API keys</h2>
      <p>
        A key lets an app or assistant read and change what these pages show, but nobody else’s data. Revoke a key that
        you no longer use. The app that has it then stops working at once.
      </p>
      {keys.length === 0 ? (
        <Empty title="You have no key yet">
          <p>Create one only if an app or assistant asks for it.</p>
        </Empty>
      ) : (
        <ul class="rows">
          {keys.map((key) => (
            <KeyRow {...key} csrf={csrf} />
          ))}
        </ul>
      )}
      {newKeyAt === undefined ? (
        <>
          {keys.length === 0 ? null : <p>If you create a new API key, the old one stops working.</p>}
          <PostForm action="/me/api-key" csrf={csrf} fields={{ once }} kind="quiet">
            {keys.length === 0 ? 'Create a key' : 'Create a new key'}
          </PostForm>
        </>
      ) : (
        <p>You can create one key an hour, the next from {momentOn(newKeyAt + MINUTE - 1, timeZone)} on.</p>
      )}
    </section>
  );
}

const KeyRow = ({ masked, createdAt, csrf }: OwnKey & { csrf: string }) => (
  <li>
    <div>
      <strong>API key</strong> <code>{masked}</code>
      <br />
      <small class="muted">Created {dateOf(createdAt)}</small>
    </div>
    <PostForm action="/me/api-key/revoke" csrf={csrf} kind="danger" isTiny about={`the key ${masked}`}>
      Revoke
    </PostForm>
  </li>
);
