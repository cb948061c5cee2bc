import { openapiDocument } from '../../functions/openapi/document.ts';

/** Path of the committed document, in which a change of the contract shows as a diff. */
export const KEPT = 'schema/assets/openapi.json';

/** Returns the text of the document to commit, with an address that belongs to nobody. */
export const documentText = () => `${JSON.stringify(openapiDocument('https://api.tandem.example'), null, 2)}\n`;
