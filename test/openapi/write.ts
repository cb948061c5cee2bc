// Writes the OpenAPI document anew: npm run openapi
import { writeFileSync } from 'node:fs';
import { documentText, KEPT } from './document.ts';

writeFileSync(KEPT, documentText());
