import { ConditionsPanel } from './conditionsPanel';
import { sessionImageColumns } from '../node/sessionImageColumns';
import type { TablePanelPart } from '../../table/editor/tablePanelPart';
import { conditionsPage } from '../conditionsPage';

/** Handles requests about conditions and images in a panel of a table. */
export const conditionsInPanel: TablePanelPart<typeof conditionsPage> = {
  declaration: conditionsPage,
  open: panel => {
    const { session, kind } = panel;
    const images = session.get(sessionImageColumns);
    const conditions = new ConditionsPanel({
      ...panel,
      send: columns => panel.send('imageColumns', columns),
    });
    // A row of an aggregate table may be about several images.
    const mayConvert = () => kind !== 'aggregate' && !session.source.isOfPairs && images.mayHaveAreas;
    return {
      handlers: conditions.handlers,
      start: () => (mayConvert() ? { mayConvert: true } : {}),
      countedRows: signal => images.counted(kind, signal),
      dispose: () => conditions.dispose(),
    };
  },
};
