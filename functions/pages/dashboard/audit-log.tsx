import { Hono } from 'hono';
import * as z from 'zod';
import { readAuditLog } from '../../../lib/platforms/settings.ts';
import { pageQuery } from '../../../schema/api/paging.ts';
import type { ActorKind, PlatformAction } from '../../../schema/api/states.ts';
import type { AppEnv } from '../../http/env.ts';
import { At } from '../clock.tsx';
import { Empty } from '../components.tsx';
import { pageAsked, renderList } from './frame.tsx';
import { currentPlatform, givenOf, page } from './session.ts';

const PATH = '/dashboard/audit-log';
const ON_A_PAGE = 50;
const Query = z.object({ cursor: pageQuery('audit_').cursor });

const WORDS: Record<PlatformAction, string> = {
  'key.created': 'A person made an API key',
  'key.replaced': 'The secret key was replaced',
  'key.reissued': 'The secret key was reissued',
  'key.revoked': 'A person revoked their API key',
  'link.created': 'A link to the dashboard was made',
  'secret.rotated': 'The webhook secret was replaced',
  'endpoint.changed': 'The webhook URL was changed',
  'endpoint.settings_changed': 'The webhook’s settings were changed',
  'redirect_uris.changed': 'The redirect URIs were changed',
  'settings.changed': 'The settings were changed',
  'session.opened': 'The dashboard was opened',
  'session.ended': 'Somebody signed out',
  'sessions.ended': 'Somebody signed out everywhere',
  'person.disconnected': 'A person was disconnected',
  'person.erased': 'A person was deleted',
  'platform.created': 'The platform was created',
  'platform.renamed': 'The platform was renamed',
  'platform.plan_changed': 'The plan was changed',
  'platform.suspended': 'The platform was suspended',
  'platform.resumed': 'The platform was resumed',
  'platform.deleted': 'The platform was deleted',
};

const CALLERS: Record<ActorKind, string> = {
  key: 'API key',
  session: 'Dashboard session',
  operator: 'Operator',
  person: 'The person',
  google: 'Google',
  service: 'Tandem',
};

export const auditLog = new Hono<AppEnv>();

page(auditLog, PATH, (c) => {
  const given = givenOf(c);
  return renderList(c, {
    ...{ title: 'Audit log', at: PATH, given },
    read: async () => readAuditLog(c.var.ctx, currentPlatform(c).id, pageAsked(Query, given, ON_A_PAGE)),
    above: <p>Who changed keys, secrets, settings, sessions and access. Entries are kept for 400 days.</p>,
    head: [{ name: 'When', short: '' }, { name: 'Change', is: 'title' }, 'By', 'From'],
    row: ({ at, action, details, actorKind, actor, network }) => [
      <At ms={at} isExact />,
      <>
        {WORDS[action]}
        {Object.entries(details).map(([name, value]) => (
          <div class="small muted">
            {name}: <bdi>{value}</bdi>
          </div>
        ))}
      </>,
      <>
        {CALLERS[actorKind]}
        <div class="small muted">
          <code>{actor}</code>
        </div>
      </>,
      network === null ? 'unknown' : <code>{network}</code>,
    ],
    none: <Empty title="Nothing was changed yet">Changes appear here as soon as somebody makes one.</Empty>,
  });
});
