import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anchorsOf, withoutCode } from '../../../scripts/packageReadme.mjs';

/**
 * A link or a picture of a document: its text, where it leads to, and the line it is in, from 1.
 */
export interface DocumentLink {
  text: string;
  target: string;
  line: number;
  isPicture: boolean;
}

/**
 * The links and pictures of a document in Markdown, those of `<img>` included; not what is in code.
 */
export function linksOf(document: string): DocumentLink[] {
  const text = withoutCode(document);
  const lineAt = (index: number) => text.slice(0, index).split('\n').length;
  const marked = [...text.matchAll(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]*)\)/g)].flatMap(
    ({ 1: mark, 2: words = '', 3: target = '', index }) => [
      { text: words, target, line: lineAt(index), isPicture: mark === '!' },
      // A picture can be the text of a link.
      ...linksOf(words).map(inner => ({ ...inner, line: lineAt(index) })),
    ],
  );
  const tags = [...text.matchAll(/<img\b[^>]*>/g)].map(({ 0: tag, index }) => ({
    text: /\balt="([^"]*)"/.exec(tag)?.[1] ?? '',
    target: /\bsrc="([^"]*)"/.exec(tag)?.[1] ?? '',
    line: lineAt(index),
    isPicture: true,
  }));
  return [...marked, ...tags];
}

/**
 * The links and pictures of a document that lead nowhere, and pictures without a text, as
 * "path:line what".
 */
export function brokenLinks(path: string, document = readFileSync(path, 'utf8')): string[] {
  return linksOf(document).flatMap(link => {
    const where = `${path}:${link.line}`;
    const silent = link.isPicture && link.text.trim() === '' ? [`${where} no text for ${link.target}`] : [];
    return leadsSomewhere(path, document, link) ? silent : [...silent, `${where} ${link.target}`];
  });
}

function leadsSomewhere(path: string, document: string, { target, isPicture }: DocumentLink): boolean {
  if (/^https:\/\//.test(target)) return true;
  const [file = '', anchor] = target.split('#');
  if (file === '' && anchor === undefined) return false;
  const place = file === '' ? path : join(dirname(path), decodeURI(file));
  if (!existsSync(place)) return false;
  if (anchor === undefined || isPicture) return true;
  return numberedAnchorsOf(file === '' ? document : readFileSync(place, 'utf8')).includes(anchor);
}

/** The anchors of a document's headings on GitHub, where repeated ones have numbers. */
function numberedAnchorsOf(document: string): string[] {
  const seen = new Map<string, number>();
  return anchorsOf(document).map(name => {
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  });
}
