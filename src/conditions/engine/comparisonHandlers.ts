import type { TableView } from '../../columns/engine/tableView';
import type { RequestHandlers } from '../../protocol/rpc';
import type { ComparisonTableRequests, StudiedImages } from '../comparisonRequests';
import { studyImagesOf } from './studyImages';

/** The handlers of requests about conditions. Distributions take tens of milliseconds to load: few threads compare anything. */
export function comparisonHandlers(
  view: (table: string) => TableView,
): RequestHandlers<ComparisonTableRequests> {
  const known = new Map<string, StudiedImages>();
  return {
    studyImages: ({ table, ...images }) => {
      known.set(table, images);
      return {};
    },
    tableCompare: async ({ table, ...params }, signal) => {
      const { compareTable } = await import('./compareTable');
      const { table: source } = view(table);
      return compareTable(view(table), studyImagesOf(source, known.get(table)), params, signal);
    },
  };
}
