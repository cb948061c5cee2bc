import { Hono } from 'hono';
import { AppError } from '../../lib/errors.ts';
import { userStatus } from '../../lib/users/user-status.ts';
import { Email } from '../../schema/api/fields.ts';
import { type AppEnv, platformOf } from '../env.ts';

export const users = new Hono<AppEnv>();

users.get('/v1/users/:email/status', async (c) => {
  const email = Email.safeParse(c.req.param('email'));
  if (!email.success) throw new AppError('invalid_request', 'email must be an e-mail address.', { field: 'email' });
  return c.json(await userStatus(c.var.ctx, { platformId: platformOf(c).id, email: email.data }));
});
