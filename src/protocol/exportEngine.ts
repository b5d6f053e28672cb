import type { ExportReport, ExportRequest } from '../formats/exportRequest';

/** What an engine thread answers about exports. */
export interface ExportRequests {
  /** Exports the open masks; progress is told as 'export'. All files appear at the end, or none. */
  exportMasks: { params: ExportRequest; result: ExportReport };
  /** Answers once no export runs any more: a cancelled one has cleaned up. */
  exportSettled: { params: Record<string, never>; result: Record<string, never> };
}
