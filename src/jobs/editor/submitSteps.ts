import * as vscode from 'vscode';
import type { Accounts } from '../../accounts/node/accounts';
import { DisposableStore } from '../../base/disposable';
import type { CodedError } from '../../base/errors';
import type { Log } from '../../base/log';
import {
  applyPickOptions,
  enterText,
  loadInto,
  pickOne,
  type PickOptions,
} from '../../host/editor/dialogSteps';
import { withCancel } from '../../host/editor/progress';
import { showWarningMessage } from '../../host/editor/messages';
import { createQuickPick, showQuickPick } from '../../host/editor/boxes';
import { runSteps, type Step, type StepResult } from '../../host/steps';
import type { FilesystemItem, Pipeline } from '../../service/wire';
import { itemIcon } from '../../uploads/node/fileItem';
import { afterFirstClause, formatTimestamp } from '../../words/format';
import { pipelineName } from '../node/treeItems';
import { analyzeTitle, confirmSubmitWords, proposedJobName, unprotectedWords } from '../../words/submitWords';
import type { JobSession, JobSessions } from '../node/jobSessions';
import { withoutPipeline } from '../node/runAgain';
import type { DescribedRequest } from '../node/runRecords';
import {
  isComplete,
  ItemSelection,
  type JobDefaults,
  missingDetails,
  namedInput,
  SelectablePipelines,
  type SelectedItem,
  trySubmit,
} from '../node/submission';
import { pickUpSubmits, storeSubmitted } from '../node/submit';

/**
 * Asks for missing details of a job (pipeline, items, name), in steps with Back. Undefined on Esc.
 */
export async function describeSubmission(
  session: JobSession,
  defaults: JobDefaults,
): Promise<DescribedRequest | undefined> {
  const { t } = vscode.l10n;
  const isFree = session.account.sample === true;
  const last = await session.submitChoices.last();
  let pipelineId = defaults.pipelineId;
  let pipelineDescription = defaults.pipelineDescription;
  let items: readonly SelectedItem[] = defaults.items ?? defaults.filesystemIds?.map(id => ({ id })) ?? [];
  let name = defaults.name ?? '';
  /** The last proposed name. Another choice replaces it, unless the person edited it. */
  let proposedName = name;
  let masks = defaults.masks ?? last.masks ?? isFree;
  const input = () => {
    const count = defaults.fileCount ?? items.length;
    return { ...namedInput(items, count), hasFolders: items.some(({ isFolder }) => isFolder) };
  };
  const missing = missingDetails(defaults);
  const title = () =>
    missing.includes('items') && items.length === 0 ? t('Submit Analysis Job') : analyzeTitle(t, input());
  const steps: Step[] = [];
  if (missing.includes('pipeline')) {
    const pipelines = new SelectablePipelines(session, last.pipelines);
    steps.push(async position => {
      const entered = await pickOne(pipelines, pipeline => describePipeline(pipeline, pipelines), {
        title: title(),
        placeholder: t('Select a pipeline'),
        empty: t("This account has no active pipelines. Create and publish one on the service's website."),
        ...position,
      });
      if (entered.kind !== 'value') return entered.kind;
      pipelineId = entered.value.id;
      pipelineDescription = entered.value.description;
      return 'next';
    });
  }
  if (missing.includes('items')) {
    steps.push(async position => {
      const entered = await pickItems(session, items, { title: t('Submit Analysis Job'), ...position });
      if (entered.kind !== 'value') return entered.kind;
      items = entered.value;
      return 'next';
    });
  }
  steps.push(async position => {
    if (name === proposedName && defaults.name === undefined) {
      name = proposedName = proposedJobName(t, { ...input(), pipeline: pipelineDescription ?? '' });
    }
    const { count, hasFolders } = input();
    const prompt = () =>
      confirmSubmitWords(t, { count, hasFolders, masks, isFree, uploaded: defaults.uploadedCount ?? 0 });
    const entered = await enterText({
      title: title(),
      value: name,
      placeholder: t('Job name (optional)'),
      // Repeat the placeholder, which a proposed name hides.
      prompt: t('Job name (optional). {0}', prompt()),
      toggle: {
        icon: 'layers',
        tooltip: t('Also Generate Masks'),
        checked: masks,
        onChange: checked => {
          masks = checked;
          return t('Job name (optional). {0}', prompt());
        },
      },
      ...position,
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
      createdAt && formatTimestamp(vscode.env.language, createdAt),
    ]
      .filter(Boolean)
      .join(' · '),
    detail: afterFirstClause(description),
  };
}

/** Asks for missing details and submits the job. After an ambiguous failure the person decides. */
export async function submitAsPerson(
  dependencies: { log: Log },
  session: JobSession,
  defaults: JobDefaults | DescribedRequest,
): Promise<void> {
  const request = isComplete(defaults) ? defaults : await describeSubmission(session, defaults);
  if (!request) return;
  const attempt = (isAgreed: boolean) =>
    withCancel(vscode.l10n.t('Submitting job'), (_progress, signal) =>
      trySubmit(session, request, { signal, isAgreed }),
    );
  let outcome = await attempt(false);
  if (outcome.kind === 'unprotected') {
    dependencies.log.warn(`A submit was held back: ${outcome.error.message}`);
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
    dependencies.log.warn('The service may or may not have accepted a job');
    await settleAmbiguity(dependencies, session, request, outcome.candidates);
  }
}

/** Asks whether to submit although other windows can't see it. */
export async function agreesToUnprotected(what: 'job' | 'masks', error: CodedError): Promise<boolean> {
  const { question, detail } = unprotectedWords(vscode.l10n.t, what, error);
  const anyway = what === 'job' ? vscode.l10n.t('Submit Anyway') : vscode.l10n.t('Generate Anyway');
  return (await showWarningMessage(question, { modal: true, detail }, anyway)) === anyway;
}

/** Submits a job's input again, with the same or another pipeline. */
export async function runAgainAsPerson(
  dependencies: { log: Log },
  session: JobSession,
  input: DescribedRequest,
): Promise<void> {
  const samePipeline = {
    label: vscode.l10n.t('Same Pipeline'),
    description: pipelineName(vscode.l10n.t, {
      id: input.pipelineId,
      ...(input.pipelineDescription && { description: input.pipelineDescription }),
    }),
  };
  const otherPipeline = { label: vscode.l10n.t('Another Pipeline…') };
  const selected = await showQuickPick([samePipeline, otherPipeline], {
    ignoreFocusOut: true,
    title: vscode.l10n.t('Run Again'),
    placeHolder:
      input.filesystemIds.length === 1
        ? vscode.l10n.t('Select how to analyze the same item')
        : vscode.l10n.t('Select how to analyze the same {0} items', input.filesystemIds.length),
  });
  if (!selected) return;
  const defaults = selected.label === samePipeline.label ? input : withoutPipeline(input);
  const request = await describeSubmission(session, defaults);
  if (request) await submitAsPerson(dependencies, session, request);
}

/** Asks which job is the submitted one, if any. Until answered, identical submits ask again. */
async function settleAmbiguity(
  dependencies: { log: Log },
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
    if (button === again) await submitAgain(dependencies, session, request);
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
    await submitAgain(dependencies, session, request);
    return;
  }
  await session.submitGuard.settle(request);
  await storeSubmitted(session, selected.id, request, 'person');
}

/** Submits a job again after the person accepted that it may run twice. */
async function submitAgain(
  dependencies: { log: Log },
  session: JobSession,
  request: DescribedRequest,
): Promise<void> {
  await session.submitGuard.settle(request);
  await submitAsPerson(dependencies, session, request);
}

interface ItemEntry extends vscode.QuickPickItem {
  resource: FilesystemItem;
}

/** Asks for filesystem items in any folders. A button opens a folder; its check box selects it. */
function pickItems(
  session: JobSession,
  initialItems: readonly SelectedItem[],
  options: Omit<PickOptions, 'placeholder' | 'empty'>,
): Promise<StepResult<SelectedItem[]>> {
  const store = new DisposableStore();
  const pick = store.add(createQuickPick<ItemEntry>());
  const controller = new AbortController();
  const selection = new ItemSelection(session, initialItems);
  const openFolder: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('folder-opened'),
    tooltip: vscode.l10n.t('Open Folder'),
  };
  const openParent: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('arrow-up'),
    tooltip: vscode.l10n.t('Go to Parent Folder'),
  };
  const loadMore: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('ellipsis'),
    tooltip: vscode.l10n.t('Load More'),
  };
  pick.canSelectMany = true;
  applyPickOptions(pick, { ...options, placeholder: '', empty: '' });

  const draw = () => {
    const { list, path, notListed } = selection;
    const listedItems = list.items;
    // VS Code counts only selected items that are listed.
    pick.placeholder = [
      [vscode.l10n.t('Files'), ...path].join(' / '),
      listedItems.length === 0 && !list.mayHaveMore
        ? vscode.l10n.t('this folder is empty')
        : notListed === 0
          ? vscode.l10n.t('select items to analyze')
          : vscode.l10n.t('select items to analyze ({0} more selected, not listed here)', notListed),
    ].join(': ');
    const items = listedItems.map(resource => ({
      label: resource.name ?? resource.id,
      iconPath: new vscode.ThemeIcon(itemIcon(resource)),
      resource,
      buttons: resource.__t === 'Folder' ? [openFolder] : [],
    }));
    pick.items = items;
    // Select objects of `pick.items`, because the pick copies the items.
    pick.selectedItems = pick.items.filter(({ resource }) => selection.isSelected(resource.id));
    pick.buttons = [
      ...(options.canGoBack ? [vscode.QuickInputButtons.Back] : []),
      ...(path.length > 0 ? [openParent] : []),
      ...(list.mayHaveMore ? [loadMore] : []),
    ];
  };
  const load = () => void loadInto(pick, selection.list, draw, controller.signal);
  const showFolder = () => {
    pick.value = '';
    draw();
    if (selection.list.items.length === 0) load();
  };

  return new Promise(resolve => {
    let isFinished = false;
    const finish = (result: StepResult<SelectedItem[]>) => {
      isFinished = true;
      resolve(result);
      pick.hide();
    };
    store.add(
      pick.onDidChangeSelection(selected => {
        selection.selectListed(
          pick.items.map(({ resource }) => resource),
          selected.map(({ resource }) => resource),
        );
      }),
    );
    store.add(
      pick.onDidTriggerItemButton(({ item }) => {
        selection.openFolder(item.resource);
        showFolder();
      }),
    );
    store.add(
      pick.onDidTriggerButton(button => {
        if (button === openParent) {
          selection.openParent();
          showFolder();
        } else if (button === loadMore) load();
        else finish({ kind: 'back' });
      }),
    );
    store.add(
      pick.onDidAccept(() => {
        const { items } = selection;
        if (items.length > 0) finish({ kind: 'value', value: items });
        else pick.placeholder = vscode.l10n.t('Select at least one item');
      }),
    );
    store.add(
      pick.onDidHide(() => {
        controller.abort();
        store.dispose();
        if (!isFinished) resolve({ kind: 'canceled' });
      }),
    );
    pick.show();
    showFolder();
  });
}

/** Takes over submits of closed windows. Asks once about submits that may have become a job. */
export async function pickUpLeftSubmits(accounts: Accounts, sessions: JobSessions, log: Log): Promise<void> {
  const questions = await pickUpSubmits(accounts, sessions, log);
  const [first] = questions;
  if (!first) return;
  const review = vscode.l10n.t({ message: 'Review', comment: 'Verb: look at a job before it is submitted' });
  const text =
    questions.length === 1
      ? vscode.l10n.t(
          'The window was closed while "{0}" was being submitted. The service may or may not have accepted it.',
          first.request.name ?? first.request.pipelineId,
        )
      : vscode.l10n.t(
          'The window was closed while {0} jobs were being submitted. The service may or may not have accepted them.',
          questions.length,
        );
  const answer = showWarningMessage(text, review);
  for (const { markAsked } of questions) void markAsked();
  if ((await answer) !== review) return;
  for (const { session, request, candidates } of questions)
    await settleAmbiguity({ log }, session, request, candidates);
}
