import * as vscode from 'vscode';
import { command } from '../../host/editor/command';
import { showFailure } from '../../host/editor/messages';
import { pathOnDisk, uri } from '../../host/editor/uriOptions';
import { isPlainObject, optional, optionalFlag, optionalOneOf, type Option } from '../../host/options';
import type { JobSessions } from '../../jobs/node/jobSessions';
import { type ClassMode, type ClassPair, notesOn, notesOnClasses } from '../comparison';
import { thresholdOf } from '../scores';
import { reasonWords } from '../../words/reasonWords';
import type { Engine } from '../../session/engineProtocol';
import { ofOtherFiles } from '../../archives/imageIdentity';
import { codeOfDoubt } from '../node/imagePairing';
import type { ComparableSource, MasksComparer } from '../node/masksComparer';
import { activeJobResult } from '../../session/node/resultSource';
import type { OutputLog } from '../../host/editor/log';
import type { OpenResults } from '../../session/node/openResults';
import type { ComparisonPanels } from './comparisonPanels';

interface CompareCommandDependencies {
  sessions: JobSessions;
  results: Pick<OpenResults, 'activeMasks'>;
  panels: () => Promise<ComparisonPanels>;
  startEngine: () => Engine;
  log: OutputLog;
}

/** A side of a comparison: a job, or a file or folder on disk. */
type ProgramSide = { jobId: string } | { uri: vscode.Uri };

const side: Option<ProgramSide> = {
  expected: 'an object with either "jobId" or "uri"',
  read: value => {
    if (!isPlainObject(value)) return undefined;
    const { jobId, uri: file } = value;
    if (typeof jobId === 'string' && jobId !== '' && file === undefined) return { value: { jobId } };
    const fileUri = jobId === undefined ? uri.read(file) : undefined;
    return fileUri && { value: { uri: fileUri.value } };
  },
};

const optionalThreshold: Option<number> = {
  expected: 'one of 0.5, 0.55, 0.6, … 0.95',
  read: value => {
    const threshold = value ?? 0.5;
    return typeof threshold === 'number' && thresholdOf(threshold) !== undefined
      ? { value: threshold }
      : undefined;
  },
};

/** The commands that compare two sets of masks. */
export function compareCommands({ sessions, results, panels, startEngine, log }: CompareCommandDependencies) {
  const person = async (args: readonly unknown[]): Promise<void> => {
    const { activeMasks } = results;
    const { selectMasksToCompare } = await import('./compareSteps');
    const compared = await selectMasksToCompare({ sessions, activeMasks }, args);
    if (compared) (await panels()).show(compared.a, compared.b);
  };
  return {
    compareMasks: command({
      options: {
        a: side,
        b: side,
        threshold: optionalThreshold,
        classes: optionalOneOf(['all', 'each']),
        separateAreas: optionalFlag,
        pairOtherFiles: optionalFlag,
        destination: optional(pathOnDisk),
        overwrite: optionalFlag,
      },
      program: async ({ a, b, ...choice }) => {
        const comparer = await import('../node/masksComparer');
        const sourceOf = async (programSide: ProgramSide): Promise<ComparableSource> =>
          'uri' in programSide
            ? comparer.comparableFile(programSide.uri)
            : comparer.comparableResult(await activeJobResult(vscode.l10n.t, sessions, programSide.jobId));
        const [sourceA, sourceB] = [await sourceOf(a), await sourceOf(b)];
        const masks = new comparer.MasksComparer({ startEngine, log });
        return await compareAsProgram(masks, sourceA, sourceB, choice);
      },
      person,
    }),
    // A click in an editor's title passes a plain object too, so each call counts as a user's.
    compareOpenMasks: command({
      options: {},
      program: () => person([]).catch(showFailure),
      person: () => person([]),
    }),
  };
}

interface ProgramChoice {
  threshold: number;
  classes: ClassMode;
  separateAreas: boolean;
  pairOtherFiles: boolean;
  destination: string | undefined;
  overwrite: boolean;
}

async function compareAsProgram(
  masks: MasksComparer,
  a: ComparableSource,
  b: ComparableSource,
  { threshold, classes, separateAreas, pairOtherFiles, destination, overwrite }: ProgramChoice,
): Promise<ProgramComparison> {
  const { signal } = new AbortController();
  const comparison = await masks.open(a, b, () => undefined, signal, separateAreas);
  try {
    if (pairOtherFiles)
      await comparison.pairByHand(comparison.keysOf(ofOtherFiles(comparison.pairs.doubtful)));
    const skipped = await comparison.compare({ classes }, () => undefined, signal);
    const { pooled, images, classes: matched } = await comparison.scores(threshold, signal);
    const saved =
      destination === undefined
        ? { files: [] }
        : await comparison.save({ destination, threshold, overwrite }, signal);
    const unpairedOf = (name: 'a' | 'b') => {
      const doubts = new Map(comparison.pairs.doubtful.map(pair => [pair[name], codeOfDoubt(pair)]));
      return comparison.unpaired(name).map(({ path, index }) => {
        const why = doubts.get(index);
        return { side: name, image: path, ...(why && { why }) };
      });
    };
    const unreadableOf = (name: 'a' | 'b') =>
      images.reduce(
        (sum, pair) => sum + (comparison[name].summary.images[pair[name]]?.unreadableCount ?? 0),
        0,
      );
    return {
      images: images.length,
      classes: matched.mode,
      classPairs: matched.pairs,
      unpaired: [...unpairedOf('a'), ...unpairedOf('b')],
      skipped: skipped.map(pair => ({
        image: comparison.a.summary.images[pair.a]?.path ?? '',
        reason: reasonWords(vscode.l10n.t, pair.reason),
      })),
      unreadable: { a: unreadableOf('a'), b: unreadableOf('b') },
      pairs: pooled.tp,
      onlyA: pooled.fn,
      onlyB: pooled.fp,
      precision: pooled.precision,
      recall: pooled.recall,
      f1: pooled.f1,
      panopticQuality: pooled.panopticQuality,
      files: saved.files,
      notes: [
        ...notesOnClasses(matched),
        ...notesOn('a', comparison.a.summary),
        ...notesOn('b', comparison.b.summary),
      ]
        .slice(0, MAX_NOTES)
        .map(note => ({ ...note, reason: reasonWords(vscode.l10n.t, note.reason) })),
    };
  } finally {
    comparison.dispose();
  }
}

/** Maximum number of notes, as for unreadable objects of an export. */
const MAX_NOTES = 5000;

/** The result for programs: pooled over all compared images; null for a ratio of 0 to 0. */
interface ProgramComparison {
  /** Number of compared images. */
  images: number;
  /** Whether objects were matched within classes: 'all' if a side has none. */
  classes: ClassMode;
  /** The classes that were matched; a class without a partner is alone. */
  classPairs: Partial<ClassPair>[];
  /**
   * Images without a partner. `other-file`: an image has the same path, but another file was
   * analyzed. `other-size`: an image matches, but has another size.
   */
  unpaired: { side: 'a' | 'b'; image: string; why?: 'other-file' | 'other-size' }[];
  /** Paired images that couldn't be compared. */
  skipped: { image: string; reason: string }[];
  /** Number of unreadable objects of compared images. */
  unreadable: { a: number; b: number };
  /** Why images and objects were left out, and anomalies of the files; at most 5,000. */
  notes: { side: 'a' | 'b'; image?: string; id?: string; reason: string }[];
  pairs: number;
  onlyA: number;
  onlyB: number;
  precision: number | null;
  recall: number | null;
  f1: number | null;
  panopticQuality: number | null;
  files: { path: string; bytes: number }[];
}
