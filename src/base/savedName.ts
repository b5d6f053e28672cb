import { CodedError } from './errors';
import { reason } from './reasons';

/** Endings of other formats. An unknown ending is part of the name: "plate.2026-11-28". */
const OTHER_FORMATS = [
  /^(parquet|pq|feather|arrow|ipc|orc|avro|xlsx|xlsm|xlsb|xls|ods|numbers|json|jsonl|ndjson|geojson|xml|html|htm|yaml|yml|md|pdf|docx)$/,
  /^(sqlite|sqlite3|db|duckdb|h5|hdf5|hdf|zarr|npy|npz|mat|rds|rda|rdata|sav|dta|sas7bdat|pkl|pickle|fcs|arff)$/,
  /^(gz|bz2|xz|zst|7z|tar|tgz|rar|png|jpg|jpeg|tif|tiff|svg)$/,
];

/** Throws `bad-request` if a name has another format's ending, which would mislead programs. */
export function checkSavedName(path: string, format: 'CSV' | 'zip'): void {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  const misleading = [...OTHER_FORMATS, format === 'CSV' ? /^zip$/ : /^[ct]sv$/];
  if (ending === undefined || !misleading.some(endings => endings.test(ending))) return;
  throw new CodedError('bad-request', `A ${format} file can't be called ${name}`, {
    subject: name,
    reason: reason(
      'A file whose name ends in {0} is of another format than {1}, which is saved',
      `.${ending}`,
      format === 'CSV' ? 'CSV (.csv, .tsv)' : 'zip (.zip)',
    ),
  });
}
