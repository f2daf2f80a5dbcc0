// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The directory that the processes of one compilation share. Its name holds the user, the pid
// namespace (containers may share a temporary directory), the driver's process id and start time,
// and a hash of the unit id. Everything goes through directory descriptors that were opened without
// following links and belong to this user, so nobody else's link or directory is ever written
// through. Needs /proc; without it every process is alone.
#define _XOPEN_SOURCE 700

#include "findings/session.h"

#include "divcost/hash.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct process {
  unsigned long long name_space; // inode of the pid namespace
  long pid;
  unsigned long long start; // in clock ticks since boot
} process;

#define NAME_FORMAT "divcost-%lu-%llu-%ld-%llu-%016" PRIx64

// Reads the start time of a process; false where there is none with that id.
static bool read_start(long pid, unsigned long long *start) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%ld/stat", pid);
  FILE *file = fopen(path, "re");
  if (!file)
    return false;
  size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[length] = 0;
  char *field = strrchr(text, ')'); // the name, field 2, may hold anything
  for (int number = 2; field && number < 22; ++number)
    field = strchr(field + 1, ' ');
  if (!field)
    return false;
  char *end;
  errno = 0;
  *start = strtoull(field, &end, 10);
  return end != field && errno == 0;
}

static bool read_link(const char *path, char *text, size_t size) {
  ssize_t length = readlink(path, text, size - 1);
  if (length < 0)
    return false;
  text[length] = 0;
  return true;
}

// The driver that started this process: the parent, if it runs the same executable.
static bool find_driver(process *driver) {
  char path[64], own[4096], parent[4096];
  driver->pid = (long)getppid();
  snprintf(path, sizeof path, "/proc/%ld/exe", driver->pid);
  if (!read_link("/proc/self/exe", own, sizeof own) || !read_link(path, parent, sizeof parent) ||
      strcmp(own, parent))
    return false;
  struct stat name_space;
  if (stat("/proc/self/ns/pid", &name_space))
    return false;
  driver->name_space = name_space.st_ino;
  return read_start(driver->pid, &driver->start);
}

static const char *temporary_directory(void) {
  const char *path = getenv("TMPDIR");
  return path && *path ? path : "/tmp";
}

static int open_own_directory(int parent, const char *name) {
  int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status;
  if (directory >= 0 && (fstat(directory, &status) || status.st_uid != geteuid() ||
                         (status.st_mode & (S_IRWXG | S_IRWXO)))) {
    close(directory);
    errno = EPERM;
    return -1;
  }
  return directory;
}

// Removes a session's directory; sessions hold plain files only.
static void remove_directory(int parent, const char *name) {
  int directory = open_own_directory(parent, name);
  DIR *entries = directory < 0 ? NULL : fdopendir(directory);
  if (!entries) {
    if (directory >= 0)
      close(directory);
    return;
  }
  for (struct dirent *entry; (entry = readdir(entries));)
    if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
      unlinkat(directory, entry->d_name, 0);
  closedir(entries);
  unlinkat(parent, name, AT_REMOVEDIR);
}

// Reads a number and the hyphen behind it.
static bool read_number(const char **text, unsigned long long *value) {
  if (**text < '0' || **text > '9')
    return false;
  char *end;
  errno = 0;
  *value = strtoull(*text, &end, 10);
  if (errno || *end != '-')
    return false;
  *text = end + 1;
  return true;
}

// Reads a name in NAME_FORMAT but the hash, which nothing is compared with.
static bool read_name(const char *name, unsigned long long *user, process *driver) {
  static const char prefix[] = "divcost-";
  if (strncmp(name, prefix, sizeof prefix - 1))
    return false;
  name += sizeof prefix - 1;
  unsigned long long pid;
  if (!read_number(&name, user) || !read_number(&name, &driver->name_space) ||
      !read_number(&name, &pid) || !read_number(&name, &driver->start) || pid > LONG_MAX)
    return false;
  driver->pid = (long)pid;
  return strspn(name, "0123456789abcdef") == 16;
}

// Removes the directories of this user and pid namespace whose drivers are gone.
static void remove_stale(int parent, const process *self) {
  int copy = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = copy < 0 ? NULL : fdopendir(copy);
  if (!entries) {
    if (copy >= 0)
      close(copy);
    return;
  }
  for (struct dirent *entry; (entry = readdir(entries));) {
    unsigned long long user, start;
    process driver;
    if (!read_name(entry->d_name, &user, &driver) || user != (unsigned long long)geteuid() ||
        driver.name_space != self->name_space)
      continue;
    if (!read_start(driver.pid, &start) || start != driver.start)
      remove_directory(parent, entry->d_name);
  }
  closedir(entries);
}

dc_status dcp_session_open(dcp_session *session, const char *unit_id, dc_error *error) {
  session->directory = session->lock = -1;
  process driver;
  if (!find_driver(&driver))
    return DC_OK;
  const char *path = temporary_directory();
  int parent = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (parent < 0)
    return dc_fail(error, DC_ERROR_FILE, "cannot open the temporary directory '%s': %s", path,
                   strerror(errno));
  char name[128];
  snprintf(name, sizeof name, NAME_FORMAT, (unsigned long)geteuid(), driver.name_space, driver.pid,
           driver.start, dc_hash_text(DC_HASH_BEGIN, unit_id));
  if (!mkdirat(parent, name, S_IRWXU))
    remove_stale(parent, &driver);
  session->directory = open_own_directory(parent, name);
  if (session->directory >= 0)
    session->lock = openat(session->directory, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
                           S_IRUSR | S_IWUSR);
  int reason = errno;
  close(parent);
  if (session->lock >= 0)
    return DC_OK;
  dcp_session_close(session);
  return dc_fail(error, DC_ERROR_FILE, "cannot use the directory '%s/%s': %s", path, name,
                 strerror(reason));
}

void dcp_session_close(dcp_session *session) {
  if (session->lock >= 0)
    close(session->lock);
  if (session->directory >= 0)
    close(session->directory);
  session->directory = session->lock = -1;
}

// The last of the driver's options that chooses sides decides.
bool dcp_session_has_host(const dcp_session *session) {
  if (session->directory < 0)
    return false;
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/cmdline", (long)getppid());
  FILE *file = fopen(path, "re");
  bool host = true;
  char *argument = NULL;
  size_t capacity = 0;
  while (file && getdelim(&argument, &capacity, 0, file) > 0) {
    if (!strcmp(argument, "--cuda-device-only") || !strcmp(argument, "--offload-device-only"))
      host = false;
    else if (!strcmp(argument, "--cuda-compile-host-device") ||
             !strcmp(argument, "--offload-host-device"))
      host = true;
  }
  free(argument);
  if (file)
    fclose(file);
  return host;
}

static void set_lock(dcp_session *session, short type) {
  struct flock range = {.l_type = type, .l_whence = SEEK_SET};
  while (session->lock >= 0 && fcntl(session->lock, F_SETLKW, &range) && errno == EINTR)
    ;
}

void dcp_session_begin(dcp_session *session) { set_lock(session, F_WRLCK); }
void dcp_session_end(dcp_session *session) { set_lock(session, F_UNLCK); }

bool dcp_session_first(dcp_session *session, const char *key) {
  if (session->directory < 0)
    return true;
  int descriptor = openat(session->directory, "reported",
                          O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "a+");
  if (!file) {
    if (descriptor >= 0)
      close(descriptor);
    return true;
  }
  bool first = true;
  char *line = NULL;
  size_t capacity = 0;
  if (fseek(file, 0, SEEK_SET)) {
    fclose(file);
    return true;
  }
  for (ssize_t length; first && (length = getline(&line, &capacity, file)) > 0;) {
    if (line[length - 1] == '\n')
      line[length - 1] = 0;
    first = strcmp(line, key) != 0;
  }
  free(line);
  if (first && !fseek(file, 0, SEEK_END)) // between reading and writing, C wants a position
    fprintf(file, "%s\n", key);
  fclose(file);
  return first;
}

void dcp_session_remove(const char *unit_id) {
  process driver;
  if (!find_driver(&driver))
    return;
  int parent = open(temporary_directory(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (parent < 0)
    return;
  char name[128];
  snprintf(name, sizeof name, NAME_FORMAT, (unsigned long)geteuid(), driver.name_space, driver.pid,
           driver.start, dc_hash_text(DC_HASH_BEGIN, unit_id));
  remove_directory(parent, name);
  close(parent);
}
