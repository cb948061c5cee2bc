import { openapiDocument } from '../../functions/openapi.ts';

/** Where the document is kept, so that a change of the contract is seen as one. */
export const KEPT = 'schema/openapi.json';

/** The document as it is kept: under an address that is nobody's. */
export const documentText = () => `${JSON.stringify(openapiDocument('https://api.tandem.example'), null, 2)}\n`;
