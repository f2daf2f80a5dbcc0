# cmake -DOUT=FILE -DFILES=a;b -P join.cmake: joins files, and writes the digest of the result, which
# the page's policy names, to FILE.sha256.
set(joined "")
foreach(file IN LISTS FILES)
  file(READ ${file} text)
  string(APPEND joined "${text}")
endforeach()
file(WRITE ${OUT} "${joined}")
file(SHA256 ${OUT} digest)
file(WRITE ${OUT}.sha256 "${digest}")
