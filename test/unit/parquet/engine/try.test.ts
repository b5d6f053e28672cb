import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ParquetTable } from '../../../../src/parquet/engine/parquetTable';

const pa = JSON.parse(readFileSync('/tmp/49/pa.json', 'utf8')) as any;
function same(ours: any, v: any, nested: boolean): boolean {
  if (v === null) return ours === '' || ours === null;
  if (Array.isArray(v)) return Array.isArray(ours) && ours.length === v.length && v.every((x, i) => same(ours[i], x, true));
  if (typeof v === 'object') return typeof ours === 'object' && ours && Object.keys(v).length === Object.keys(ours).length && Object.keys(v).every(k => same(ours[k], v[k], true));
  if (typeof v === 'boolean') return String(ours) === String(v);
  const t = String(v);
  if (t[0] === 'D' && /^D-?[\d.]+$/.test(t)) return String(ours) === t.slice(1);
  if (/^I-?\d+$/.test(t)) return String(ours) === t.slice(1);
  if (t[0] === 'F' && /^F(-?0x|NaN|-?inf)/.test(t)) {
    const m = /^F(-?)0x(\d)\.([0-9a-f]+)p([+-]?\d+)$/.exec(t);
    const num = m ? (m[1] ? -1 : 1) * (parseInt(m[2]!) + parseInt(m[3]!, 16) / 16 ** m[3]!.length) * 2 ** Number(m[4]) : t === 'FNaN' ? NaN : t === 'Finf' ? Infinity : -Infinity;
    const o = ours === 'inf' ? Infinity : ours === '-inf' ? -Infinity : Number(ours);
    return Object.is(o, num);
  }
  if (/^B[0-9a-f]*$/.test(t)) return ours === '0x' + t.slice(1) || Buffer.from(String(ours)).toString('hex') === t.slice(1);
  return ours === t || t[0] === 'T';
}
describe('try', () => {
  it('all', async function () {
    this.timeout(300000);
    for (const name of Object.keys(pa)) {
      if (typeof pa[name] === 'string') continue;
      for (const dir of ['data', 'bad_data']) {
      let t: ParquetTable;
      try { t = await ParquetTable.open(join('/tmp/49/pt', dir, name), 1e8); } catch (e: any) { if (!/ENOENT|no such/.test(String(e.details?.reason?.args) + e.message)) console.log('OPEN', name, e.message); continue; }
      let bad = 0, n = 0, ts = '';
      try {
      for (let c = 0; c < t.columns.length; c++) {
        const [type, vals] = pa[name][c];
        if (typeof vals === 'string') { console.log('skip', name, type, vals); continue; }
        const rows = t.cells(Array.from({ length: t.rowCount }, (_, i) => i), [c], Infinity).rows.map(r => r[0]!);
        if (vals.length !== rows.length) console.log('LEN', name, vals.length, rows.length);
        const nums = t.columns[c]!.kind === 'number' ? await t.numbers(c) : undefined;
        const flat = nums ? nums.values.flatMap(v => [...v]) : undefined;
        const codes = await t.codes(c); const fc = codes.values.flatMap(v => [...v]);
        vals.forEach((v: any, i: number) => {
          let o: any = rows[i];
          if (codes.texts.text(fc[i]!) !== rows[i]) { console.log('CODE', name, c, i); bad++; }
          if (flat && v !== null && !Object.is(flat[i], Number(o === 'inf' ? 'Infinity' : o === '-inf' ? '-Infinity' : o))) { bad++; console.log('NUM', name, c, flat[i], o); }
          if (flat && v === null && !Number.isNaN(flat[i])) bad++;
          if (typeof v === 'object' && v !== null) { try { o = JSON.parse(o.replace(/:(-?\d{16,})/g, ':"$1"').replace(/([\[,])(-?\d{16,})/g, '$1"$2"')); } catch { o = undefined; } }
          if (String(v)[0] === 'T' && !ts) ts = v + ' = ' + o;
          n++;
          if (!same(o, v, false)) { if (bad++ < 3) console.log('DIFF', name, t.columns[c]!.name, type, i, JSON.stringify(v).slice(0, 200), '<>', String(rows[i]).slice(0, 200)); }
        });
      }
      } catch (e: any) { console.log('ERR', name, e.message); }
      console.log(bad ? 'BAD' : 'ok', name, n, ts);
      t.dispose();
      }
    }
  });
});
