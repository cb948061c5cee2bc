import * as z from 'zod';

/** Schema of a new meeting's metadata as clients see it. The service also accepts null, which means no value. */
export const shownMetadata = z.record(z.string(), z.string()).optional();
