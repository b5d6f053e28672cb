import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type manifestType from '../../../package.json';
import { looksLikeImage } from '../../../src/uploads/node/expandFiles';

interface MenuEntry {
  command?: string;
  submenu?: string;
  when?: string;
  group: string;
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as typeof manifestType;
const menus = contributes.menus as unknown as Record<string, MenuEntry[]>;

/** What the Explorer's menu shows for a file or folder, in its order, without "imageAnalysis.". */
function shown(menu: string, name: string, isFolder = false, isOneOfTwo = false): string[] {
  const entries = (menus[menu] ?? []).filter(({ when = 'true' }) => holds(when, name, isFolder, isOneOfTwo));
  const inOrder = entries.sort((a, b) => a.group.localeCompare(b.group));
  return inOrder.map(({ command, submenu }) => (command ?? submenu ?? '').replace('imageAnalysis.', ''));
}

function holds(when: string, name: string, isFolder: boolean, isOneOfTwo = false): boolean {
  const term = (text: string): boolean => {
    if (text.startsWith('!')) return !term(text.slice(1));
    if (text === 'true') return true;
    if (text === 'explorerResourceIsFolder') return isFolder;
    if (text === 'listDoubleSelection') return isOneOfTwo;
    const [, key, source, flags] = /^resource(Extname|Filename) =~ \/(.*)\/(\w*)$/.exec(text) ?? [];
    assert.ok(source !== undefined, `This test can't read "${text}"`);
    return new RegExp(source, flags).test(key === 'Filename' ? name : extname(name));
  };
  return when.split(' || ').some(terms => terms.split(' && ').every(term));
}

const inExplorer = (name: string, isFolder?: boolean) => shown('explorer/context', name, isFolder);
const inSubmenu = (name: string, isFolder?: boolean) => shown('imageAnalysis.explorer', name, isFolder);

describe('The menu of the Explorer', () => {
  const images = [
    'a.png',
    'a.JPG',
    'a.jpeg',
    'a.tif',
    'a.ome.tiff',
    'a.svs',
    'a.webp',
    'a.bmp',
    'a.czi',
    'a.nd2',
  ];

  it('has Analyze at its top for folders and for files that look like images', () => {
    assert.deepEqual(inExplorer('plate.1', true), ['analyzeFiles', 'explorer']);
    assert.deepEqual(inSubmenu('plate.1', true), ['uploadFiles']);
    for (const name of images) {
      assert.ok(looksLikeImage(name), name);
      assert.deepEqual(inExplorer(name), ['analyzeFiles', 'explorer'], name);
      assert.deepEqual(inSubmenu(name), ['uploadFiles'], name);
    }
  });

  it('has it in the submenu for other files, which may be images too', () => {
    for (const name of ['a.vsi', 'a.dcm', 'noExtension']) {
      assert.ok(!looksLikeImage(name), name);
      assert.deepEqual(inExplorer(name), ['explorer'], name);
      assert.deepEqual(inSubmenu(name), ['uploadFiles', 'analyzeFiles'], name);
    }
  });

  it('opens tables at its top and archives in the submenu, and does not analyze them', () => {
    for (const name of ['a.csv', 'a.TSV', 'a.parquet', 'a.pq']) {
      assert.deepEqual(inExplorer(name), ['openTableFile', 'explorer'], name);
      assert.deepEqual(inSubmenu(name), ['exportTables', 'uploadFiles'], name);
    }
    for (const name of ['a.csv.gz', 'a.TSV.zst'])
      assert.deepEqual(inExplorer(name), ['openTableFile', 'explorer'], name);
    assert.deepEqual(inExplorer('a.tar.gz'), ['explorer']);
    assert.deepEqual(inSubmenu('a.zip'), ['openMasksFile', 'exportMasks', 'uploadFiles', 'compareMasks']);
  });

  it('compares two files of masks or ground truth that are selected, and an archive with what is asked for', () => {
    for (const name of ['a.zip', 'a.json', 'a.GeoJSON', 'a.png', 'a.tif', 'a.tiff'])
      assert.ok(shown('imageAnalysis.explorer', name, false, true).includes('compareMasks'), name);
    for (const name of ['a.csv', 'a.svs'])
      assert.ok(!shown('imageAnalysis.explorer', name, false, true).includes('compareMasks'), name);
    assert.ok(!shown('imageAnalysis.explorer', 'plate.json', true, true).includes('compareMasks'));
  });

  it('names the extensions that an upload takes for images', () => {
    const regexes = menus['explorer/context']
      ?.filter(({ command }) => command === 'imageAnalysis.analyzeFiles')
      .flatMap(({ when = '' }) => /\(([^)]*)\)/.exec(when)?.[1] ?? []);
    const source = readFileSync('src/uploads/node/expandFiles.ts', 'utf8');
    assert.deepEqual(regexes, [/IMAGE_NAME = \/\\\.\(([^)]*)\)/.exec(source)?.[1]]);
  });
});
