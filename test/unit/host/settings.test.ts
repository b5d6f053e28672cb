import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type SettingDeclarations, Settings } from '../../../src/host/settings';
import { silentLog } from '../../../src/base/log';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  contributes: { configuration: { properties: SettingDeclarations } };
};
const { properties } = manifest.contributes.configuration;

function settingsWith(values: Readonly<Record<string, unknown>>) {
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (line: string) => void warnings.push(line) };
  const settings = new Settings({ read: name => values[name] }, properties, log);
  return { settings, warnings };
}

describe('Settings', () => {
  it('have the defaults of package.json where nothing is set', () => {
    const { settings } = settingsWith({});
    equal(settings.tableMemory, properties['imageAnalysis.table.memory'].default);
    equal(settings.notifications, properties['imageAnalysis.jobs.notifications'].default);
    equal(settings.baseUrl, '');
  });

  it('have the default, not the minimum, where a value has a wrong type; the log says so once', () => {
    const { settings, warnings } = settingsWith({ 'results.cacheSize': '2048', 'masks.opacity': null });
    const declared = properties['imageAnalysis.results.cacheSize'].default as number;
    equal(settings.resultsCacheBytes, declared * 1024 * 1024);
    equal(settings.resultsCacheBytes, declared * 1024 * 1024);
    equal(settings.ofPage('masks').opacity, properties['imageAnalysis.masks.opacity'].default);
    deepEqual(warnings, [
      `The setting imageAnalysis.results.cacheSize: "2048" isn't valid; ${declared} is used instead`,
      `The setting imageAnalysis.masks.opacity: null isn't valid; ${String(properties['imageAnalysis.masks.opacity'].default)} is used instead`,
    ]);
  });

  it("have the default where a value isn't one of those allowed", () => {
    const { settings, warnings } = settingsWith({ 'jobs.notifications': 'sometimes' });
    equal(settings.notifications, 'all');
    equal(warnings.length, 1);
  });

  it('are clamped to the limits of package.json', () => {
    const { settings, warnings } = settingsWith({
      'uploads.concurrency': 100,
      'jobs.pollingInterval': 0,
      'masks.opacity': -1,
      'table.memory': 1e9,
    });
    equal(settings.uploadConcurrency, properties['imageAnalysis.uploads.concurrency'].maximum);
    equal(settings.pollingInterval, properties['imageAnalysis.jobs.pollingInterval'].minimum);
    equal(settings.ofPage('masks').opacity, 0);
    equal(settings.tableMemory, properties['imageAnalysis.table.memory'].maximum);
    deepEqual(warnings, []);
  });

  it('give a page those that have its name, all of them valid', () => {
    const { settings } = settingsWith({ 'masks.opacity': 2, 'table.memory': 64 });
    equal(settings.ofPage('masks').opacity, 1);
    equal(settings.ofPage('table').memory, 64);
    const names = Object.keys(properties).filter(name => name.startsWith('imageAnalysis.table.'));
    deepEqual(
      Object.keys(settings.ofPage('table')),
      names.map(name => name.replace('imageAnalysis.table.', '')),
    );
  });

  it('give the destination folder of a resource', () => {
    const requested: (string | undefined)[] = [];
    const read = (_name: string, resource?: string) => {
      requested.push(resource);
      return 'plates';
    };
    equal(new Settings({ read }, properties, silentLog).destinationFolder('file:///a.png'), 'plates');
    deepEqual(requested, ['file:///a.png']);
  });
});
