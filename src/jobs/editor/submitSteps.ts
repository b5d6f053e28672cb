import * as vscode from 'vscode';
import type { Pipeline } from '../../service/wire';
import type { CodedError } from '../../base/errors';
import type { Log } from '../../base/log';
import type { JobSession } from '../node/jobSessions';
import { afterFirstClause } from '../../words/format';
import { pipelineName } from '../../words/pipelineName';
import { proposedJobName } from '../../words/proposedJobName';
import { analyzeTitle, confirmSubmitWords, unprotectedWords } from '../../words/submitWords';
import { formatMoment } from '../../host/editor/format';
import { runSteps, type Step } from '../../host/steps';
import { enterText } from '../../host/editor/multiStep';
import { pickOne } from '../../host/editor/pagedPick';
import { pickItems } from './pickItems';
import { withCancel } from '../../host/editor/progress';
import { namedInput, type SelectedItem } from '../node/itemSelection';
import { withoutPipeline } from '../node/runAgain';
import { SelectablePipelines } from '../node/selectablePipelines';
import type { DescribedRequest } from '../node/jobRequest';
import { storeSubmitted } from '../node/submit';
import { isComplete, missingParts, trySubmit, type KnownOfJob } from '../node/submitOutcome';
import { showWarningMessage } from '../../host/editor/surfaces/messages';
import { showQuickPick } from '../../host/editor/surfaces/quickPick';

/** Lets a person select pipeline and items and enter a name, step by step with Back; what is known is skipped. Undefined on Esc. */
export async function describeSubmission(
  session: JobSession,
  known: KnownOfJob,
): Promise<DescribedRequest | undefined> {
  const { t } = vscode.l10n;
  const isFree = session.account.sample === true;
  const last = await session.submitChoices.last();
  let pipelineId = known.pipelineId;
  let pipelineDescription = known.pipelineDescription;
  let items: readonly SelectedItem[] = known.items ?? known.filesystemIds?.map(id => ({ id })) ?? [];
  let name = known.name ?? '';
  /** The name as it was proposed last: another choice before it changes it, unless it was edited. */
  let proposed = name;
  let masks = known.masks ?? last.masks ?? isFree;
  const input = () => {
    const count = known.fileCount ?? items.length;
    return { ...namedInput(items, count), hasFolders: items.some(({ isFolder }) => isFolder) };
  };
  const missing = missingParts(known);
  const title = () =>
    missing.includes('items') && items.length === 0 ? t('Submit Analysis Job') : analyzeTitle(t, input());
  const steps: Step[] = [];
  if (missing.includes('pipeline')) {
    const pipelines = new SelectablePipelines(session, last.pipelines);
    steps.push(async place => {
      const entered = await pickOne(pipelines, pipeline => describePipeline(pipeline, pipelines), {
        title: title(),
        placeholder: t('Select a pipeline'),
        empty: t("This account has no active pipelines. Create and publish one on the service's website."),
        ...place,
      });
      if (entered.kind !== 'value') return entered.kind;
      pipelineId = entered.value.id;
      pipelineDescription = entered.value.description;
      return 'next';
    });
  }
  if (missing.includes('items')) {
    steps.push(async place => {
      const entered = await pickItems(session, items, { title: t('Submit Analysis Job'), ...place });
      if (entered.kind !== 'value') return entered.kind;
      items = entered.value;
      return 'next';
    });
  }
  steps.push(async place => {
    if (name === proposed && known.name === undefined) {
      name = proposed = proposedJobName(t, { ...input(), pipeline: pipelineDescription ?? '' });
    }
    const { count, hasFolders } = input();
    const prompt = () => confirmSubmitWords(t, { count, hasFolders, masks, isFree });
    const entered = await enterText({
      title: title(),
      value: name,
      placeholder: t('Job name (optional)'),
      prompt: prompt(),
      toggle: {
        icon: 'layers',
        tooltip: t('Also Generate Masks'),
        checked: masks,
        onChange: checked => {
          masks = checked;
          return prompt();
        },
      },
      ...place,
    });
    if (entered.kind !== 'value') return entered.kind;
    name = entered.value;
    return 'next';
  });
  if (!(await runSteps(steps)) || pipelineId === undefined) return undefined;
  await session.submitChoices
    .remember({ pipelineId, masks })
    .catch((error: unknown) => session.log.error('The choices of a submit could not be stored', error));
  return {
    pipelineId,
    filesystemIds: items.map(({ id }) => id),
    items: items.map(({ folder: _folder, ...item }) => item),
    ...(pipelineDescription && { pipelineDescription }),
    ...(name && { name }),
    ...(masks && { masks }),
  };
}

function describePipeline(
  pipeline: Pipeline,
  pipelines: SelectablePipelines,
): { label: string; description: string; detail: string } {
  const { id, description, createdAt } = pipeline;
  return {
    label: pipelineName(vscode.l10n.t, { id, description }),
    description: [
      pipelines.isLastUsed(pipeline) && vscode.l10n.t('last used'),
      createdAt && formatMoment(createdAt),
    ]
      .filter(Boolean)
      .join(' · '),
    detail: afterFirstClause(description),
  };
}

/** Lets a person add what is missing and submits once. After an ambiguous failure the person decides, never the program. */
export async function submitAsPerson(
  parts: { log: Log },
  session: JobSession,
  known: KnownOfJob | DescribedRequest,
): Promise<void> {
  const request = isComplete(known) ? known : await describeSubmission(session, known);
  if (!request) return;
  const attempt = (isAgreed: boolean) =>
    withCancel(vscode.l10n.t('Submitting job'), (_progress, signal) =>
      trySubmit(session, request, { signal, isAgreed }),
    );
  let outcome = await attempt(false);
  if (outcome.kind === 'unprotected') {
    parts.log.warn(`A submit was held back: ${outcome.error.message}`);
    if (!(await agreesToUnprotected('job', outcome.error))) return;
    outcome = await attempt(true);
  }
  if (outcome.kind === 'canceled-after-sending') {
    void showWarningMessage(
      vscode.l10n.t(
        'Canceled, but the job had already been sent. It may run and use credits. Check the Jobs view.',
      ),
    );
  }
  if (outcome.kind === 'ambiguous') {
    parts.log.warn('The service may or may not have accepted a job');
    await settleAmbiguity(parts, session, request, outcome.candidates);
  }
}

/** Whether a person has a job submitted, or masks requested, though other windows can't see that. */
export async function agreesToUnprotected(what: 'job' | 'masks', error: CodedError): Promise<boolean> {
  const { question, detail } = unprotectedWords(vscode.l10n.t, what, error);
  const anyway = what === 'job' ? vscode.l10n.t('Submit Anyway') : vscode.l10n.t('Generate Anyway');
  return (await showWarningMessage(question, { modal: true, detail }, anyway)) === anyway;
}

/** Submits a job's input again, with the same pipeline or another, once the person has confirmed its name and cost. */
export async function runAgainAsPerson(
  parts: { log: Log },
  session: JobSession,
  input: DescribedRequest,
): Promise<void> {
  const same = {
    label: vscode.l10n.t('Same Pipeline'),
    description: pipelineName(vscode.l10n.t, {
      id: input.pipelineId,
      ...(input.pipelineDescription && { description: input.pipelineDescription }),
    }),
  };
  const other = { label: vscode.l10n.t('Another Pipeline…') };
  const selected = await showQuickPick([same, other], {
    ignoreFocusOut: true,
    title: vscode.l10n.t('Run Again'),
    placeHolder:
      input.filesystemIds.length === 1
        ? vscode.l10n.t('Select how to analyze the same item')
        : vscode.l10n.t('Select how to analyze the same {0} items', input.filesystemIds.length),
  });
  if (!selected) return;
  const known = selected.label === same.label ? input : withoutPipeline(input);
  const request = await describeSubmission(session, known);
  if (request) await submitAsPerson(parts, session, request);
}

/** Has a person tell which job is the one submitted, if any. Until then, or on Esc, identical submits lead here again. */
export async function settleAmbiguity(
  parts: { log: Log },
  session: JobSession,
  request: DescribedRequest,
  candidates: readonly string[],
): Promise<void> {
  const again = vscode.l10n.t('Submit Again');
  const detail = vscode.l10n.t('Submitting the same job again also uses credits.');
  if (candidates.length === 0) {
    const button = await showWarningMessage(
      vscode.l10n.t("The service didn't respond, and no new job has appeared so far."),
      { modal: true, detail },
      again,
    );
    if (button === again) await submitAgain(parts, session, request);
    return;
  }
  const selected = await showQuickPick(
    [
      ...candidates.map(id => ({
        label: id,
        description: vscode.l10n.t('a new job created in the meantime'),
        id,
      })),
      { label: again, description: detail, id: undefined },
    ],
    {
      ignoreFocusOut: true,
      title: vscode.l10n.t('The job may have been submitted already. Is one of these jobs yours?'),
    },
  );
  if (!selected) return;
  if (selected.id === undefined) {
    await submitAgain(parts, session, request);
    return;
  }
  await session.submitGuard.settle(request);
  await storeSubmitted(session, selected.id, request, 'person');
}

/** Submits what may have been submitted already, as the person decided. */
async function submitAgain(
  parts: { log: Log },
  session: JobSession,
  request: DescribedRequest,
): Promise<void> {
  await session.submitGuard.settle(request);
  await submitAsPerson(parts, session, request);
}
