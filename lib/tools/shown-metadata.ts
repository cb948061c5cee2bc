import * as z from 'zod';

export const shownMetadata = z.record(z.string(), z.string()).optional();
