import type { ExportReport, ExportRequest } from './exportRequest';

/** Requests about exports that an engine thread handles. */
export interface ExportRequests {
  /** Exports the open masks; progress events name it 'export'. All files appear at the end, or none. */
  exportMasks: { params: ExportRequest; result: ExportReport };
  /** Resolves once no export is running: a canceled one has cleaned up. */
  exportSettled: { params: Record<string, never>; result: Record<string, never> };
}
