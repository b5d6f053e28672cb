// The package's README, made from the project's and the pages of the guide.
//
// VS Code shows it in its own view of the extension. There a link leads somewhere only if it is
// https or to a heading of the same page, and an image is shown only from https. So the guide's
// pages become chapters, links between them lead to headings, other links become text, and images
// are left out.
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';

/** Sections of the README that are about the repository. */
const OF_THE_REPOSITORY = ['Try it from this repository', 'For developers'];

/** The README of the package, from the files of the project. */
export async function readmeOfPackage() {
  const readme = await readFile('README.md', 'utf8');
  const paths = [...readme.matchAll(/\]\((docs\/guide\/[\w-]+\.md)\)/g)].map(([, path]) => path);
  const pages = await Promise.all(paths.map(async path => ({ path, text: await readFile(path, 'utf8') })));
  return packageReadme(readme, pages);
}

/**
 * The README of the package. `pages` are those of the guide, with paths relative to the README, in
 * their order.
 */
export function packageReadme(readme, pages) {
  const documents = [
    { path: 'README.md', text: withoutSections(readme, OF_THE_REPOSITORY) },
    ...pages.map(({ path, text }) => ({ path, text: text.replace(/^#/gm, '##') })),
  ];
  const headings = documents.flatMap(({ path, text }) => anchorsOf(text).map(anchor => ({ path, anchor })));
  return documents
    .map(({ path, text }) => withLinks(withoutImages(text), link => anchorFor(link, path, headings)))
    .map(text => text.replace(/\n{3,}/g, '\n\n').trim())
    .join('\n\n')
    .concat('\n');
}

/**
 * The anchors of a document's headings as GitHub and VS Code make them, without the numbers of
 * GitHub for repeated ones.
 */
export function anchorsOf(text) {
  return [...withoutCode(text).matchAll(/^#{1,6} (.*)$/gm)].map(([, title]) =>
    title
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{Nd}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The document with its code replaced by blanks, so that lines stay where they are. */
export function withoutCode(text) {
  return text.replace(/^(```|~~~)[\s\S]*?^\1.*$|`[^`\n]*`/gm, code => code.replace(/[^\n]/g, ' '));
}

function withoutSections(text, titles) {
  return titles.reduce((rest, title) => {
    const [before, after] = rest.split(`\n## ${title}\n`);
    if (after === undefined) throw new Error(`The README has no section "${title}"`);
    const next = after.indexOf('\n## ');
    return before + (next < 0 ? '\n' : after.slice(next));
  }, text);
}

function withoutImages(text) {
  return text.replace(/^(?:!\[[^\]]*\]\([^)]*\)|<img\b[^>]*>)\n/gm, '');
}

/** Replaces each relative link by one to an anchor, or by its text where `anchorFor` gives none. */
function withLinks(text, anchorFor) {
  return text.replace(/\[([^\][]*)\]\(([^()\s]+)\)/g, (link, words, target) => {
    if (/^https:/.test(target)) return link;
    const anchor = anchorFor(target);
    return anchor === undefined ? words : `[${words}](#${anchor})`;
  });
}

/**
 * The anchor in the package's README of what a link of a document leads to; undefined where that
 * isn't part of it.
 */
function anchorFor(target, path, headings) {
  const [file, wanted] = target.split('#');
  const document = file === '' ? path : posix.join(posix.dirname(path), file);
  const found = headings.find(
    heading => heading.path === document && (wanted === undefined || heading.anchor === wanted),
  );
  if (!found) return undefined;
  // In VS Code the first of several headings with the same anchor is shown.
  const first = headings.find(({ anchor }) => anchor === found.anchor);
  if (first !== found)
    throw new Error(`${path}: "${target}" would lead to a heading in ${first.path}: rename one`);
  return found.anchor;
}
