import {
  Learning,
  ResetLearning,
  UndoneLearning,
  UpdatedPreferences,
  UserInfo,
  UserPreferences,
} from '../../schema/api/answers/user.ts';
import { PreferencesRequest } from '../../schema/api/preferences.ts';
import type { Group } from './operation.ts';

export const user: Group = {
  tag: 'User',
  description: "A user's own data, with their own key.",
  operations: [
    {
      ...{ method: 'get', path: '/v1/user/info', id: 'getUserInfo', key: 'user' },
      summary: 'Read the user, their preferences and statistics',
      answer: { is: 'The user.', schema: UserInfo },
    },
    {
      ...{ method: 'get', path: '/v1/user/preferences', id: 'getPreferences', key: 'user' },
      summary: 'Read the preferences',
      answer: { is: 'All preferences; what was never set has its default.', schema: UserPreferences },
    },
    {
      ...{ method: 'put', path: '/v1/user/preferences', id: 'updatePreferences', key: 'user' },
      summary: 'Change the given preferences and no others',
      description: 'A new scheduling_context is read into learned weights and takes back what the former one taught.',
      body: PreferencesRequest,
      answer: { is: 'All preferences after the change.', schema: UpdatedPreferences },
    },
    {
      ...{ method: 'get', path: '/v1/user/learning', id: 'getLearning', key: 'user' },
      summary: 'Read the learned weights and every change that made them',
      answer: { is: 'The weights, and the changes, newest first.', schema: Learning },
    },
    {
      ...{ method: 'post', path: '/v1/user/learning/{id}/undo', id: 'undoLearning', key: 'user' },
      summary: 'Take one learned change back',
      description: 'The others stand. Asking again changes nothing more.',
      params: { id: 'The id of a change, from getLearning' },
      answer: { is: 'The change, and the weights without it.', schema: UndoneLearning },
      errors: ['not_found'],
    },
    {
      ...{ method: 'delete', path: '/v1/user/learning', id: 'resetLearning', key: 'user' },
      summary: 'Take everything learned back',
      answer: { is: 'The weights, all 1.', schema: ResetLearning },
    },
  ],
};
