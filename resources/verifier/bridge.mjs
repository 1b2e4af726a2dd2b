// The border between Python and JavaScript, as WebAssembly sees it: the functions that the interpreter imports. Whatever
// Python finds, however it finds it, it can act on JavaScript through these alone. Once `close` was called, those that are
// not listed here end the process.

// What the C library asks of its system. All of it acts on files in memory, the clock and WebAssembly's own memory.
const SYSTEM = new Set(
  (
    '__syscall_fcntl64 __syscall_openat __syscall_faccessat __syscall_chdir __syscall_chmod __syscall_fchownat __syscall_dup ' +
    '__syscall_dup3 __syscall_fchdir __syscall_fchmod __syscall_fchmodat2 __syscall_fchown32 __syscall_fdatasync ' +
    '__syscall_fstat64 __syscall_stat64 __syscall_newfstatat __syscall_lstat64 __syscall_ftruncate64 __syscall_getcwd ' +
    '__syscall_getdents64 __syscall_mkdirat __syscall_mknodat __syscall_poll __syscall_fadvise64 __syscall_fallocate ' +
    '__syscall_readlinkat __syscall_unlinkat __syscall_rmdir __syscall_renameat __syscall_statfs64 __syscall_fstatfs64 ' +
    '__syscall_symlinkat __syscall_truncate64 __syscall_utimensat __syscall_ioctl __syscall_getuid32_js ' +
    '__syscall_umask_js _try_fcntl64 _maybe_poll_async _munmap_js _msync_js _mmap_js ' +
    'fd_close fd_read fd_write fd_sync fd_fdstat_get fd_seek fd_pread fd_pwrite environ_sizes_get environ_get random_get ' +
    'clock_res_get clock_time_get emscripten_date_now emscripten_get_now _tzset_js _timegm_js _mktime_js _localtime_js ' +
    '_gmtime_js emscripten_get_heap_max emscripten_resize_heap proc_exit exit _abort_js __assert_fail ' +
    '_Py_CheckEmscriptenSignals_Helper _PyEM_TrampolineCall_JS _Py_emscripten_runtime emscripten_runtime_keepalive_push ' +
    'emscripten_runtime_keepalive_pop _emscripten_runtime_keepalive_clear __call_sighandler can_run_sync_js ' +
    // No name is looked up: they give made-up addresses. `uuid` asks for the machine's.
    'getaddrinfo getnameinfo getprotobyname _emscripten_lookup_name _emscripten_get_progname'
  ).split(' '),
);
/** A Unix system answers so when it lacks a call: ENOSYS. Python raises OSError. */
const ABSENT = -52;

const isSystem = (name) => SYSTEM.has(name) || name.startsWith('invoke_');
const isAbsent = (name) => name.startsWith('__syscall_') || name === '_emscripten_system';

/** `onReached` is called with the name of what was called after `close`; it must not return. */
export function createBridge(onReached) {
  let isClosed = false;
  const guard = (name, run) => {
    const guarded = function (...args) {
      if (!isClosed) return Reflect.apply(run, this, args);
      return isAbsent(name) ? ABSENT : onReached(name);
    };
    // The loader reads the signature from the function.
    return Object.assign(guarded, run);
  };
  return {
    /** In place: the loader hands the same table to `dlsym` and fills the table of function pointers from it. */
    guardImports: (imports) => {
      for (const [name, run] of Object.entries(imports)) {
        if (typeof run === 'function' && !isSystem(name)) imports[name] = guard(name, run);
      }
    },
    close: () => {
      isClosed = true;
    },
  };
}
