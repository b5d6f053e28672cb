import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import { savedGroupsName, savedValuesName } from '../../columns/viewSpec';
import { completeStep } from '../../host/editor/walkthroughSteps';
import type { RequestsOf } from '../../protocol/declarations';
import type { RequestHandlers } from '../../protocol/rpc';
import { saveWithDialog, tableFiles } from '../../results/editor/savePlace';
import { savedEndings } from '../../results/node/tableFormats';
import type { TableKind } from '../../service/resultParts';
import type { ResultSession } from '../../session/node/resultSession';
import type { conditionPageRequests, ConditionRequests } from '../conditionRequests';
import { tableColumnsOfRole, type ImageColumns, type ImageRole } from '../imageColumns';
import type { imagePageRequests, JoinAgain, ShownImageColumns, ShownSheet } from '../imageRequests';
import { type SessionImageColumns, sessionImageColumns } from '../node/sessionImageColumns';
import { savedSheetName } from '../sampleSheet';

/** Requests of a table's page about conditions and images. */
type PanelRequests = ConditionRequests & RequestsOf<typeof conditionPageRequests & typeof imagePageRequests>;

interface ConditionsPanelDependencies {
  session: ResultSession;
  kind: TableKind;
  /** Prefix of the names of saved files. */
  stem: string;
  /** Whether saved files start with a byte order mark. */
  byteOrderMark: () => boolean;
  /** Aborted when the panel closes. */
  signal: AbortSignal;
  /** Sends metadata of images that changed elsewhere to the page. */
  send: (images: ShownImageColumns) => void;
}

/** Handles a table page's requests about conditions and images. */
export class ConditionsPanel implements Disposable {
  private readonly images: SessionImageColumns;
  private readonly changeListener: Disposable;
  /** Path of the last selected sample sheet. */
  private sheetPath: string | undefined;

  constructor(private readonly dependencies: ConditionsPanelDependencies) {
    this.images = dependencies.session.get(sessionImageColumns);
    this.changeListener = this.images.onDidChange(({ columns, by }) => {
      if (by !== this) dependencies.send(this.shownImages(columns));
    });
  }

  get handlers(): RequestHandlers<PanelRequests> {
    const { session } = this.dependencies;
    return {
      tableCompare: async (params, signal) => {
        await this.images.prepare([params.measure], this.dependencies.kind, signal);
        const compared = await session.tables.request(this.dependencies.kind, 'tableCompare', params, signal);
        completeStep('imageAnalysis.conditionsCompared');
        return compared;
      },
      tableUnitGroups: async (params, signal) => {
        await this.images.prepare(params.measures, this.dependencies.kind, signal);
        const { excludedImages } = await this.images.counted(this.dependencies.kind, signal);
        const groups = await session.tables.request(
          this.dependencies.kind,
          'tableUnitGroups',
          params,
          signal,
        );
        return { ...groups, ...(excludedImages !== undefined && { excludedImages }) };
      },
      imageColumns: async (_, signal) =>
        this.shownImages(await this.images.allImages(signal, { of: this.dependencies.kind })),
      editImages: async ({ edits, patterns, columns }, signal) => {
        await this.images.edit(edits, patterns, signal, { columnNames: columns, by: this });
        return {};
      },
      joinSampleSheet: ({ again }, signal) => this.joinSheet(again, signal),
      saveSampleSheet: (_, signal) => this.saveSheet(signal),
      studyColumns: async (_, signal) => {
        const images = await this.images.allImages(signal, { of: this.dependencies.kind });
        const { columns } = await session.tables.open(this.dependencies.kind, signal);
        const columnsWithRole = (role: ImageRole) => tableColumnsOfRole(columns, images, role);
        return {
          condition: columnsWithRole('condition'),
          replicate: columnsWithRole('replicate'),
          technical: columnsWithRole('technicalReplicate'),
          well: columnsWithRole('well'),
          plate: columnsWithRole('plate'),
          hasAreas: this.images.mayHaveAreas,
        };
      },
      pixelSizesDiffer: async (_, signal) => ({
        differ: await this.images.pixelSizesDiffer(this.dependencies.kind, signal),
      }),
      convertColumn: ({ column, convert }, signal) =>
        this.images.convert(this.dependencies.kind, { column, convert }, signal),
      saveUnitGroups: params => this.saveUnitGroups(params),
      saveValues: params => this.saveValues(params),
    };
  }

  dispose(): void {
    this.changeListener.dispose();
  }

  private shownImages(columns: ImageColumns): ShownImageColumns {
    return { ...columns, taken: this.images.takenNames };
  }

  private async joinSheet(again: JoinAgain | undefined, signal: AbortSignal): Promise<ShownSheet | null> {
    const { session } = this.dependencies;
    if (!again) {
      const [file] =
        (await vscode.window.showOpenDialog({
          title: vscode.l10n.t('Join Sample Sheet'),
          openLabel: vscode.l10n.t({ message: 'Join', comment: 'Verb: join a table to the images' }),
          filters: tableFiles('csv', 'tsv', 'txt'),
        })) ?? [];
      if (!file) return null;
      if (file.scheme !== 'file')
        throw new CodedError('not-a-file', 'Not on a disk', {
          subject: path.posix.basename(file.path),
          reason: reason('Only files on a disk can be opened'),
        });
      this.sheetPath = file.fsPath;
    }
    if (this.sheetPath === undefined) throw new CodedError('bad-request', 'No sheet was selected');
    const metadata = await this.images.allImages(signal, { of: this.dependencies.kind, whole: true });
    const { takenNames: taken } = this.images;
    const { key, isHeaderFirst = false } = again ?? {};
    const header = isHeaderFirst && { header: { skipped: 0, rows: 1 } };
    const sheet = { path: this.sheetPath, images: metadata, taken, ...(key && { key }), ...header };
    return { name: path.basename(this.sheetPath), ...(await session.request('joinSheet', sheet, signal)) };
  }

  private async saveSheet(signal: AbortSignal): Promise<{ saved: { name: string; rows: number } | null }> {
    const { session } = this.dependencies;
    const metadata = await this.images.allImages(signal, { of: this.dependencies.kind });
    const { stem } = this.dependencies;
    const title = vscode.l10n.t('Save Sample Sheet');
    const file = { name: savedSheetName(vscode.l10n.t, stem), filters: tableFiles(), title };
    const mark = this.dependencies.byteOrderMark();
    const written = await saveWithDialog(file, destination =>
      // The dialog has asked about replacing the file.
      session.request('writeSheet', { destination, images: metadata, overwrite: true, mark }, signal),
    );
    return { saved: written ? { name: path.basename(written.path), rows: written.saved.rows } : null };
  }

  private async saveUnitGroups(
    params: PanelRequests['saveUnitGroups']['params'],
  ): Promise<{ saved: { name: string; groups: number } | null }> {
    const { session, kind, signal } = this.dependencies;
    const name = savedGroupsName(vscode.l10n.t, this.dependencies.stem);
    const file = { name, filters: tableFiles(...savedEndings), title: vscode.l10n.t('Save Groups') };
    const written = await saveWithDialog(file, async destination => {
      // The dialog has asked about replacing the file.
      const target = { destination, overwrite: true, markHeader: this.dependencies.byteOrderMark() };
      await this.images.prepare(params.measures, kind, signal);
      return session.tables.request(kind, 'tableUnitGroupsSave', { ...params, ...target }, signal);
    });
    return { saved: written ? { name: path.basename(written.path), groups: written.saved.groups } : null };
  }

  private async saveValues(
    params: PanelRequests['saveValues']['params'],
  ): Promise<{ saved: { name: string; rows: number } | null }> {
    const { session } = this.dependencies;
    const name = savedValuesName(vscode.l10n.t, this.dependencies.stem);
    const file = { name, filters: tableFiles(...savedEndings), title: vscode.l10n.t('Save Values') };
    const written = await saveWithDialog(file, async destination => {
      const target = { destination, overwrite: true, markHeader: this.dependencies.byteOrderMark() };
      const { signal } = this.dependencies;
      await this.images.prepare([params.measure], this.dependencies.kind, signal);
      return session.tables.request(
        this.dependencies.kind,
        'tableCompareSave',
        { ...params, ...target },
        signal,
      );
    });
    return { saved: written ? { name: path.basename(written.path), rows: written.saved.rows } : null };
  }
}
