import { generateKeyPairSync, sign } from 'node:crypto';

/** A key and the certificate that vouches for itself, PEM. */
export interface TlsIdentity {
  key: string;
  cert: string;
}

/** A self-signed certificate for the host names and 127.0.0.1, made by hand (X.509, RFC 5280). */
export function selfSigned(hosts: readonly string[] = ['localhost']): TlsIdentity {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const name = sequence(der(0x31, sequence(objectId(0x55, 0x04, 0x03), der(0x0c, Buffer.from('test')))));
  const time = (year: number) => der(0x18, Buffer.from(`${year}0101000000Z`));
  const names = sequence(
    ...hosts.map(host => der(0x82, Buffer.from(host))),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const extensions = sequence(
    sequence(objectId(0x55, 0x1d, 0x11), der(0x04, names)),
    // It is an authority (of itself): basicConstraints CA true, critical.
    sequence(
      objectId(0x55, 0x1d, 0x13),
      der(0x01, Buffer.from([0xff])),
      der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
    ),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(2020), time(2120)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = sequence(
    body,
    ecdsaWithSha256,
    der(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  const lines = (certificate.toString('base64').match(/.{1,64}/g) ?? []).join('\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function objectId(...bytes: number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}
