import { worker as product } from '../local/worker.ts';

const noted = globalThis as { filesRun?: Set<string> };

/** The product's Worker, which answers `/files-run` with the files in which a function ran since the last such request. */
export const worker: typeof product = {
  ...product,
  fetch(request, ...rest) {
    if (new URL(request.url).pathname !== '/files-run') return product.fetch(request, ...rest);
    const files = [...(noted.filesRun ?? [])];
    noted.filesRun?.clear();
    return Response.json(files);
  },
};
