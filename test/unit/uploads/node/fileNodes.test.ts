import { deepEqual, equal, ok } from 'node:assert/strict';
import { fileItem } from '../../../../src/uploads/node/fileItem';
import { FileNode } from '../../../../src/uploads/node/fileNode';
import { FileNodes } from '../../../../src/uploads/node/fileNodes';
import { FailureNode, LoadMoreNode, type TreeNode } from '../../../../src/host/node/pagedNodes';
import { CodedError } from '../../../../src/base/errors';
import { plainEnglish } from '../../../../src/words/translate';
import { FakeSessions } from '../../jobs/node/fakeSessions';

const language = { t: plainEnglish, locale: 'en' };
const names = (nodes: readonly TreeNode<FileNode>[]) =>
  nodes.map(node =>
    node instanceof LoadMoreNode ? 'more' : node instanceof FailureNode ? 'failure' : node.label,
  );
const folder = (id: string) => ({ __t: 'Folder' as const, id, name: `folder ${id}` });
const file = (id: string) => ({ __t: 'File' as const, id, name: `${id}.png` });

describe('The tree of files', () => {
  let sessions: FakeSessions;
  let nodes: FileNodes;
  let states: string[];

  beforeEach(() => {
    sessions = new FakeSessions();
    sessions.files = { '': [folder('1'), file('2'), file('3')], 1: [file('4')] };
    nodes = new FileNodes(sessions.parts);
    states = [];
    nodes.onDidChangeState(state => states.push(state));
  });

  afterEach(() => nodes.dispose());

  it('lists a page, and another when "Load more" is selected', async () => {
    const first = await nodes.children();
    deepEqual(names(first), ['folder 1', '2.png', 'more']);
    const more = first[2];
    ok(more instanceof LoadMoreNode);
    await more.load();
    deepEqual(names(await nodes.children()), ['folder 1', '2.png', '3.png']);
    deepEqual(states, ['ok', 'ok']);
  });

  it('keeps its nodes when the next page fails, which can then be loaded again', async () => {
    const more = (await nodes.children())[2];
    ok(more instanceof LoadMoreNode);
    sessions.failure = new CodedError('network', 'down');
    await more.load();
    deepEqual(sessions.loadMoreFailures, [sessions.failure]);
    deepEqual(names(await nodes.children()), ['folder 1', '2.png', 'more']);
    sessions.failure = undefined;
    await more.load();
    deepEqual(names(await nodes.children()), ['folder 1', '2.png', '3.png']);
  });

  it('lists a folder when it opens, and shows an error in its place when that fails', async () => {
    const [opened] = await nodes.children();
    sessions.failure = new CodedError('network', 'down');
    const [failed] = await nodes.children(opened);
    ok(failed instanceof FailureNode);
    sessions.failure = undefined;
    failed.retry();
    deepEqual(names(await nodes.children(opened)), ['4.png']);
  });

  for (const [code, state, sample] of [
    ['invalid-key', 'invalidKey', false],
    ['signed-out', 'noKey', false],
    ['signed-out', 'noSampleKey', true],
  ] as const) {
    it(`is empty after ${code}, with ${state} as its state`, async () => {
      await nodes.children();
      sessions.active = { id: 'ada', baseUrl: 'https://lab.example', sample };
      sessions.failure = new CodedError(code, 'no');
      nodes.refresh();
      deepEqual(await nodes.children(), []);
      deepEqual(states, ['ok', state]);
    });
  }

  it('keeps what is listed where the service returns an error, below a row that tells it', async () => {
    await nodes.children();
    sessions.failure = new CodedError('service-error', 'no');
    nodes.refresh();
    const listed = await nodes.children();
    deepEqual(names(listed), ['failure', 'folder 1', '2.png']);
    const [failed] = listed;
    ok(failed instanceof FailureNode);
    deepEqual([failed.error, failed.unreachableHost], [sessions.failure, undefined]);
    deepEqual(states, ['ok', 'ok']);
  });

  for (const code of ['network', 'timeout'] as const) {
    it(`keeps what is listed while the service can't be reached (${code}), below a row to retry`, async () => {
      await nodes.children();
      sessions.failure = new CodedError(code, 'down');
      nodes.refresh();
      const offline = await nodes.children();
      deepEqual(names(offline), ['failure', 'folder 1', '2.png']);
      const [failed] = offline;
      ok(failed instanceof FailureNode);
      equal(failed.unreachableHost, 'lab.example:8443');
      nodes.refresh();
      deepEqual(names(await nodes.children()), ['failure', 'folder 1', '2.png'], 'after another refresh');
      sessions.failure = undefined;
      failed.retry();
      deepEqual(names(await nodes.children()), ['folder 1', '2.png', 'more']);
      deepEqual(new Set(states), new Set(['ok']));
    });
  }

  it("has only a row to retry where nothing was listed before, or another account's list was", async () => {
    await nodes.children();
    sessions.failure = new CodedError('network', 'down');
    sessions.active = { id: 'bob', baseUrl: 'https://lab.example' };
    sessions.activeChanged.fire();
    deepEqual(names(await nodes.children()), ['failure']);
  });

  it('is empty without files, and without an account', async () => {
    sessions.files = {};
    deepEqual(await nodes.children(), []);
    deepEqual(states, ['empty']);
    sessions.active = undefined;
    deepEqual(await nodes.children(), []);
  });

  it('ignores a response that arrives after another account became active', async () => {
    const late = nodes.children();
    sessions.activeChanged.fire();
    deepEqual(await late, []);
    deepEqual(states, ['loading']);
  });

  it('shows what a search found in all folders, again after a refresh, until the filter is cleared', async () => {
    const filters: (string | undefined)[] = [];
    nodes.onDidChangeFilter(filter => filters.push(filter?.text));
    const noProgress = () => undefined;
    await nodes.filterBy('4', noProgress, new AbortController().signal);
    const [found] = await nodes.children();
    ok(found instanceof FileNode);
    const item = fileItem(language, found);
    deepEqual([item.label, item.description], ['4.png', 'folder 1']);
    sessions.files[1]?.push(file('44'));
    nodes.refresh();
    deepEqual(names(await nodes.children()), ['4.png', '44.png']);
    nodes.clearFilter();
    deepEqual(names(await nodes.children()), ['folder 1', '2.png', 'more']);
    deepEqual(filters, ['4', '4', undefined]);
  });

  it('forgets the filter with the account, and retries a search that failed', async () => {
    await nodes.filterBy('4', () => undefined, new AbortController().signal);
    sessions.failure = new CodedError('network', 'down');
    nodes.refresh();
    const [failed] = await nodes.children();
    ok(failed instanceof FailureNode);
    sessions.failure = undefined;
    failed.retry();
    deepEqual(names(await nodes.children()), ['4.png']);
    sessions.activeChanged.fire();
    equal(nodes.filter, undefined);
  });

  it('has the path of a node where the service returns all names', () => {
    const top = new FileNode(folder('1'), undefined);
    equal(new FileNode(file('4'), top).path, 'folder 1/4.png');
    equal(new FileNode(file('4'), new FileNode({ __t: 'Folder', id: '9' }, top)).path, undefined);
    equal(new FileNode({ ...file('4'), name: 'a/b' }, top).path, undefined);
  });

  it('shows a folder and a file', () => {
    const top = new FileNode({ ...folder('1'), createdAt: '2026-03-01T12:00:00Z' }, undefined);
    const item = fileItem(language, top);
    equal(item.contextValue, 'folder');
    equal(item.expandable, true);
    equal(item.tooltip?.().at(0), 'folder 1');
    ok(item.tooltip?.().at(1)?.startsWith('Created Mar 1, 2026'));
    equal(item.tooltip?.().at(2), 'ID 1');
    const iconOf = (name: string) => fileItem(language, new FileNode({ ...file('4'), name }, top)).icon;
    deepEqual(['a.PNG', 'b.svs', 'without ending', 'notes.pdf'].map(iconOf), [
      'file-media',
      'file-media',
      'file-media',
      'file',
    ]);
    const inFolder = fileItem(language, new FileNode(file('4'), top));
    deepEqual(
      [inFolder.id, inFolder.contextValue, inFolder.expandable, inFolder.tooltip?.()[0]],
      ['1/4', 'file', false, 'folder 1/4.png'],
    );
  });
});
