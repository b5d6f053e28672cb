import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import { savedGroupsName, savedValuesName } from '../../columns/viewSpec';
import { completeStep } from '../../host/editor/walkthroughSteps';
import type { RequestsOf } from '../../protocol/declarations';
import type { RequestHandlers } from '../../protocol/rpc';
import { saveToPlace, tableFiles } from '../../results/editor/savePlace';
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
  /** Whether saved files begin with a byte order mark. */
  mark: () => boolean;
  /** Aborted when the panel closes. */
  signal: AbortSignal;
  /** Metadata of images changed elsewhere. */
  send: (images: ShownImageColumns) => void;
}

/** Handles requests about conditions and images in a panel of a table. */
export class ConditionsPanel implements Disposable {
  private readonly images: SessionImageColumns;
  private readonly following: Disposable;
  /** The sample sheet selected last. */
  private sheet: string | undefined;

  constructor(private readonly parts: ConditionsPanelDependencies) {
    this.images = parts.session.get(sessionImageColumns);
    this.following = this.images.onDidChange(({ columns, by }) => {
      if (by !== this) parts.send(this.shownImages(columns));
    });
  }

  get handlers(): RequestHandlers<PanelRequests> {
    const { session } = this.parts;
    return {
      tableCompare: async (params, signal) => {
        await this.images.prepare([params.measure], this.parts.kind, signal);
        const compared = await session.tables.request(this.parts.kind, 'tableCompare', params, signal);
        completeStep('imageAnalysis.conditionsCompared');
        return compared;
      },
      tableUnitGroups: async (params, signal) => {
        await this.images.prepare(params.measures, this.parts.kind, signal);
        const { excludedImages } = await this.images.counted(this.parts.kind, signal);
        const found = await session.tables.request(this.parts.kind, 'tableUnitGroups', params, signal);
        return { ...found, ...(excludedImages !== undefined && { excludedImages }) };
      },
      imageColumns: async (_, signal) =>
        this.shownImages(await this.images.allImages(signal, { of: this.parts.kind })),
      editImages: async ({ edits, patterns, columns }, signal) => {
        await this.images.edit(edits, patterns, signal, { columnNames: columns, by: this });
        return {};
      },
      joinSampleSheet: ({ again }, signal) => this.joinSheet(again, signal),
      saveSampleSheet: (_, signal) => this.saveSheet(signal),
      compareStart: async (_, signal) => {
        const images = await this.images.allImages(signal, { of: this.parts.kind });
        const { columns } = await session.tables.open(this.parts.kind, signal);
        const ofRole = (role: ImageRole) => tableColumnsOfRole(columns, images, role);
        return {
          condition: ofRole('condition'),
          replicate: ofRole('replicate'),
          technical: ofRole('technicalReplicate'),
          hasAreas: this.images.mayHaveAreas,
        };
      },
      pixelSizesDiffer: async (_, signal) => ({
        differ: await this.images.pixelSizesDiffer(this.parts.kind, signal),
      }),
      convertColumn: ({ column, convert }, signal) =>
        this.images.convert(this.parts.kind, { column, convert }, signal),
      saveUnitGroups: params => this.saveUnitGroups(params),
      saveValues: params => this.saveValues(params),
    };
  }

  dispose(): void {
    this.following.dispose();
  }

  private shownImages(columns: ImageColumns): ShownImageColumns {
    return { ...columns, taken: this.images.takenNames };
  }

  private async joinSheet(again: JoinAgain | undefined, signal: AbortSignal): Promise<ShownSheet | null> {
    const { session } = this.parts;
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
      this.sheet = file.fsPath;
    }
    if (this.sheet === undefined) throw new CodedError('bad-request', 'No sheet was selected');
    const known = await this.images.allImages(signal, { of: this.parts.kind, whole: true });
    const { takenNames: taken } = this.images;
    const { key, isHeaderFirst = false } = again ?? {};
    const header = isHeaderFirst && { header: { skipped: 0, rows: 1 } };
    const sheet = { path: this.sheet, known, taken, ...(key && { key }), ...header };
    return { name: path.basename(this.sheet), ...(await session.request('joinSheet', sheet, signal)) };
  }

  private async saveSheet(signal: AbortSignal): Promise<{ saved: { name: string; rows: number } | null }> {
    const { session } = this.parts;
    const known = await this.images.allImages(signal, { of: this.parts.kind });
    const { stem } = this.parts;
    const title = vscode.l10n.t('Save Sample Sheet');
    const file = { name: savedSheetName(vscode.l10n.t, stem), filters: tableFiles(), title };
    const mark = this.parts.mark();
    const written = await saveToPlace(file, destination =>
      // The dialog has asked already.
      session.request('writeSheet', { destination, known, overwrite: true, mark }, signal),
    );
    return { saved: written ? { name: path.basename(written.path), rows: written.saved.rows } : null };
  }

  private async saveUnitGroups(
    params: PanelRequests['saveUnitGroups']['params'],
  ): Promise<{ saved: { name: string; groups: number } | null }> {
    const { session, kind, signal } = this.parts;
    const name = savedGroupsName(vscode.l10n.t, this.parts.stem);
    const file = { name, filters: tableFiles(...savedEndings), title: vscode.l10n.t('Save Groups') };
    const written = await saveToPlace(file, async destination => {
      // The save dialog has already asked.
      const place = { destination, overwrite: true, markHeader: this.parts.mark() };
      await this.images.prepare(params.measures, kind, signal);
      return session.tables.request(kind, 'tableUnitGroupsSave', { ...params, ...place }, signal);
    });
    return { saved: written ? { name: path.basename(written.path), groups: written.saved.groups } : null };
  }

  private async saveValues(
    params: PanelRequests['saveValues']['params'],
  ): Promise<{ saved: { name: string; rows: number } | null }> {
    const { session } = this.parts;
    const name = savedValuesName(vscode.l10n.t, this.parts.stem);
    const file = { name, filters: tableFiles(...savedEndings), title: vscode.l10n.t('Save Values') };
    const written = await saveToPlace(file, async destination => {
      const place = { destination, overwrite: true, markHeader: this.parts.mark() };
      const { signal } = this.parts;
      await this.images.prepare([params.measure], this.parts.kind, signal);
      return session.tables.request(this.parts.kind, 'tableCompareSave', { ...params, ...place }, signal);
    });
    return { saved: written ? { name: path.basename(written.path), rows: written.saved.rows } : null };
  }
}
