import * as path from 'node:path';
import * as vscode from 'vscode';
import { sessionImageColumns } from '../../study/node/sessionImageColumns';
import { saveWithDialog, tableFiles } from '../../results/editor/savePlace';
import { savedEndings } from '../../results/node/tableFormats';
import type { TablePanelPart } from '../../table/editor/tablePanelPart';
import { platesPage, type WellMeasure } from '../plateRequests';
import { savedPlateName, savedPlateNames } from '../plateWords';

/** Handles requests about plates in a panel of a table. */
export const platesInPanel: TablePanelPart<typeof platesPage> = {
  declaration: platesPage,
  open: ({ session, kind, stem, byteOrderMark, signal: untilClosed }) => {
    const images = session.get(sessionImageColumns);
    // Areas of images may not be known yet.
    const prepare = async (measure: WellMeasure, signal: AbortSignal) => {
      if (measure.kind === 'objectsPerImage') await images.prepare([measure], kind, signal);
    };
    return {
      handlers: {
        tablePlates: async (params, signal) => {
          await prepare(params.measure, signal);
          return session.tables.request(kind, 'tablePlates', params, signal);
        },
        savePlates: async ({ value, ...params }) => {
          const { t } = vscode.l10n;
          const file = {
            name: savedPlateName(t, stem),
            filters: tableFiles(...savedEndings),
            title: t('Save Wells'),
          };
          const written = await saveWithDialog(file, async destination => {
            await prepare(params.measure, untilClosed);
            const target = { destination, overwrite: true, markHeader: byteOrderMark() };
            const names = savedPlateNames(t, value);
            return session.tables.request(
              kind,
              'tablePlatesSave',
              { ...params, ...target, names },
              untilClosed,
            );
          });
          return {
            saved: written ? { name: path.basename(written.path), wells: written.saved.wells } : null,
          };
        },
      },
    };
  },
};
