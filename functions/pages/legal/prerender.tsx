import { htmlOf } from '../html-of.ts';
import { PrivacyPage } from './privacy.tsx';
import { TermsPage } from './terms.tsx';

export const prerenderLegal = async (): Promise<Record<string, string>> => ({
  'privacy.html': await htmlOf(<PrivacyPage />),
  'terms.html': await htmlOf(<TermsPage />),
});
