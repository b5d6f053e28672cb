import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type manifestType from '../../../package.json';

interface MenuEntry {
  command: string;
  when: string;
  group: string;
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as typeof manifestType;
const entries = contributes.menus['view/item/context'] as MenuEntry[];

/** Whether an entry is shown on a row of the Jobs view with that context value. */
function holds(when: string, viewItem: string): boolean {
  return when.split(' && ').every(term => {
    if (term.startsWith('!(')) return !holds(term.slice(2, -1), viewItem);
    const [, key, is, expected = ''] = /^(view|viewItem) (==|=~) (.*)$/.exec(term) ?? [];
    assert.ok(key !== undefined, `This test can't read "${term}"`);
    const value = key === 'view' ? 'imageAnalysis.jobs' : viewItem;
    if (is === '==') return value === expected.replaceAll("'", '');
    return new RegExp(expected.slice(1, -1)).test(value);
  });
}

/** The commands of a row, without "imageAnalysis.": of its menu in groups, or its buttons. */
function shown(viewItem: string, isInline: boolean): string[] {
  return entries
    .filter(({ when, group }) => group.startsWith('inline') === isInline && holds(when, viewItem))
    .sort((one, other) => one.group.localeCompare(other.group))
    .map(({ command }) => command.replace('imageAnalysis.', ''));
}

const menu = (viewItem: string) => shown(viewItem, false);
const buttons = (viewItem: string) => shown(viewItem, true);

describe('The menu of a job', () => {
  it('follows a running job, or stops that, and runs nothing again that runs', () => {
    assert.deepEqual(menu('job running unfollowed'), ['followJob', 'copyId', 'renameJob']);
    assert.deepEqual(menu('job running followed'), ['stopFollowingJob', 'copyId', 'renameJob']);
    assert.deepEqual(menu('job unknown unfollowed'), ['followJob', 'copyId', 'renameJob']);
    assert.deepEqual(buttons('job running followed'), []);
    assert.deepEqual(buttons('job running unfollowed'), ['followJob']);
  });

  it('runs a job again only where its input is known here', () => {
    assert.deepEqual(menu('job failed'), ['copyId', 'renameJob']);
    assert.deepEqual(menu('job failed known'), ['runAgain', 'copyId', 'renameJob']);
    assert.deepEqual(buttons('job failed'), []);
    assert.deepEqual(buttons('job failed known'), ['runAgain']);
  });

  it('opens results first, then saves, runs, copies and renames', () => {
    const results = ['generateMasks', 'downloadResults', 'exportMasks', 'exportTables', 'compareMasks'];
    assert.deepEqual(menu('job succeeded known objects aggregate'), [
      'openObjectsTable',
      'openAggregateTable',
      'openMasks',
      ...results,
      'runAgain',
      'copyId',
      'renameJob',
    ]);
    assert.deepEqual(menu('job succeeded aggregate').slice(0, 2), ['openAggregateTable', 'openMasks']);
    assert.deepEqual(buttons('job succeeded objects aggregate'), ['openObjectsTable', 'openMasks']);
    assert.deepEqual(buttons('job succeeded aggregate'), ['openAggregateTable', 'openMasks']);
  });

  it('has on the row of a result no button for what a click on it does', () => {
    for (const part of ['objects', 'aggregate']) assert.deepEqual(buttons(`result ${part}`), []);
    assert.deepEqual(buttons('result masks'), ['exportMasks']);
    assert.deepEqual(menu('result masks'), [
      'openMasks',
      'generateMasks',
      'exportMasks',
      'compareMasks',
      'copyId',
    ]);
    assert.deepEqual(menu('group'), ['exportTables']);
  });
});
