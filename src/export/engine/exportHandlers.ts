import type { OpenInEngine } from '../../session/engine/openInEngine';
import type { RequestHandlers } from '../../protocol/rpc';
import type { ExportReport, ExportRequest, ExportRequests } from '../exportRequest';

/** The handlers of export requests. `opened` returns the open masks, or throws `bad-request`. */
export function exportHandlers({
  startProgress,
  masks: open,
}: Pick<OpenInEngine, 'startProgress'> & {
  masks: Pick<OpenInEngine['masks'], 'opened'>;
}): RequestHandlers<ExportRequests> {
  const running = new Set<Promise<unknown>>();
  const write = async (
    masks: ReturnType<typeof open.opened>,
    request: ExportRequest,
    signal: AbortSignal,
  ): Promise<ExportReport> => {
    // The code of all formats: a thread starts without it.
    const { exportMasks } = await import('./exportMasks');
    return exportMasks(masks, request, signal, startProgress('export', request.name));
  };
  return {
    exportMasks: async (request, signal) => {
      const masks = open.opened();
      if (request.paths) masks.setPaths(new Map(request.paths.map(({ image, path }) => [image, path])));
      const work = write(masks, request, signal);
      running.add(work);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },
    exportSettled: async () => {
      await Promise.allSettled(running);
      return {};
    },
  };
}
